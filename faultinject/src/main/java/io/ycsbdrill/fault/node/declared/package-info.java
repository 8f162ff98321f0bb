/** Engines that a user's file describes: one recipe that reads {@code engine.yaml}, with the watch and the history for all of them. */
package io.ycsbdrill.fault.node.declared;
