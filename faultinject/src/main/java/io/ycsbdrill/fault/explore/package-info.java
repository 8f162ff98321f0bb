/** Drills that nobody has written: drawn by seed, their coverage counted, and one that fails made smaller. Pure. */
package io.ycsbdrill.fault.explore;
