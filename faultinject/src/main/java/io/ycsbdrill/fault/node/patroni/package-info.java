/** PostgreSQL with Patroni and etcd: local clusters, and the phases of their recoveries from their own logs. */
package io.ycsbdrill.fault.node.patroni;
