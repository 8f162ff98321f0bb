/** Clusters that somebody else runs, watched by asking their nodes again and again. */
package io.ycsbdrill.fault.node.polled;
