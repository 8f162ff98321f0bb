/**
 * The skeleton of local clusters, once for all engines: a recipe says what only its engine knows, the kit starts, watches, troubles,
 * grows and ends the cluster.
 */
package io.ycsbdrill.fault.node.kit;
