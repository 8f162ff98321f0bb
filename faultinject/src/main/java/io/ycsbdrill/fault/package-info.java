/** Values only: faults, phases, markers and node selectors. A fault carries its verbs, but no state. */
package io.ycsbdrill.fault;
