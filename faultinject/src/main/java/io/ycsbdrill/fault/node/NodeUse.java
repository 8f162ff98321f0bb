package io.ycsbdrill.fault.node;

/**
 * What the process of one server, or its processes together, have used so far.
 *
 * @param process identifies it among all that its server has had: each begins at zero
 * @param cpuSeconds processor time of all its threads since it was started; it never falls
 * @param memoryBytes in memory now (resident)
 */
public record NodeUse(String process, double cpuSeconds, long memoryBytes) {}
