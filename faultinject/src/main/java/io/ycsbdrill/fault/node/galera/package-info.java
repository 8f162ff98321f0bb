/**
 * MariaDB Galera Cluster on this machine: nodes started, ended and watched through their processes, error logs and status
 * files.
 */
package io.ycsbdrill.fault.node.galera;
