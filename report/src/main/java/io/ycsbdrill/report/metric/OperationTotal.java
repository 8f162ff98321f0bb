package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.Percentiles;

/**
 * One operation over the (trimmed) run.
 *
 * @param opsPerSecond successful operations per second
 * @param service times from the start of the call
 * @param response times from the intended start; absent without a rate
 */
public record OperationTotal(
        String operation,
        double ok,
        double failed,
        double unknown,
        double opsPerSecond,
        Percentiles service,
        Percentiles response) {}
