/** Values only: faults, phases, markers and node selectors. */
package io.ycsbdrill.fault;
