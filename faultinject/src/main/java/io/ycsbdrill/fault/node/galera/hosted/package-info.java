/** Galera clusters that somebody else runs, watched by asking each node on its host. */
package io.ycsbdrill.fault.node.galera.hosted;
