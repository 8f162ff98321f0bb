/**
 * The native binding on NDB Cluster and RonDB. The client library is loaded at run time from the user's installation, so
 * that it always matches the cluster; {@link io.ycsbdrill.binding.ndb.NdbBinding} is where to begin.
 */
package io.ycsbdrill.binding.ndb;
