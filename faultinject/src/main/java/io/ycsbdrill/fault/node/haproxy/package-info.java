/**
 * HAProxy before the SQL servers of a local cluster: found, configured, started and asked. It is no target of faults.
 */
package io.ycsbdrill.fault.node.haproxy;
