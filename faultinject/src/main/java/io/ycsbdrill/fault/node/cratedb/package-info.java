/**
 * CrateDB: servers on this machine, watched through their processes, logs and system tables; and clusters that somebody else runs,
 * as reported by their system tables over HTTP.
 */
package io.ycsbdrill.fault.node.cratedb;
