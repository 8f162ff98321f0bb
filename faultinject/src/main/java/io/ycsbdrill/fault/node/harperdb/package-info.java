/** HarperDB clusters that somebody else runs, as the operations API of each node reports its replication. */
package io.ycsbdrill.fault.node.harperdb;
