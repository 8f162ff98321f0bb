/**
 * MySQL NDB Cluster and RonDB: the management server's text protocol, what its event stream means for a recovery, and
 * clusters on this machine or elsewhere as {@link io.ycsbdrill.fault.node.NodeController}s.
 */
package io.ycsbdrill.fault.node.ndb;
