/** What a node can suffer from below while it runs: links, disk, files, clock, memory, processor time, power. */
package io.ycsbdrill.fault.node.trouble;
