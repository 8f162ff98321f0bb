/** CrateDB clusters that somebody else runs, as reported by their system tables over HTTP. */
package io.ycsbdrill.fault.node.cratedb;
