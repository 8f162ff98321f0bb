/** Below all other modules: time, lengths of time, the recovery phases, near-miss names, collected problems, atomic files, locks. */
package io.ycsbdrill.base;
