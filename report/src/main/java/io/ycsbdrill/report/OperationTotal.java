package io.ycsbdrill.report;

/**
 * One operation over the (trimmed) run.
 *
 * @param opsPerSecond successful operations per second
 * @param service times from the start of the call
 * @param response times from the intended start; absent without a rate
 */
record OperationTotal(
        String operation,
        double ok,
        double failed,
        double unknown,
        double opsPerSecond,
        Percentiles service,
        Percentiles response) {}
