/** Below all other modules: time, lengths of time, the recovery phases, near-miss names, collected problems, whole files. */
package io.ycsbdrill.base;
