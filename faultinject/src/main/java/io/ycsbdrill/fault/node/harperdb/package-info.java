/** HarperDB clusters that somebody else runs, as each node tells of its replication by the operations API. */
package io.ycsbdrill.fault.node.harperdb;
