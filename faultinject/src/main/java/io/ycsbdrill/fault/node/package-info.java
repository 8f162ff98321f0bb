/**
 * Node controllers: start, stop and watch the nodes of one cluster. They know nothing of faults or schedules, and the
 * engine sub-packages are the only code of the project that touches processes.
 */
package io.ycsbdrill.fault.node;
