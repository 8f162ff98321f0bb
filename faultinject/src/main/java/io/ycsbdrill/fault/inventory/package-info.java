/** A cluster and client machines as a user lists them: which hosts, how they are reached, and what is done to nodes by commands. */
package io.ycsbdrill.fault.inventory;
