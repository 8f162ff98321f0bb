/** CrateDB clusters that somebody else runs, as they tell of themselves in their system tables over HTTP. */
package io.ycsbdrill.fault.node.cratedb;
