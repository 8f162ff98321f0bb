/**
 * HAProxy in front of the SQL servers of a local cluster: found, configured, started and queried. Faults do not target it.
 */
package io.ycsbdrill.fault.node.haproxy;
