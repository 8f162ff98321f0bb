package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.Percentiles;

/**
 * One operation over the (trimmed) run.
 *
 * @param counted whether it counts in totals; if not, it contains other operations or is part of one
 * @param opsPerSecond successful operations per second
 * @param service times from the start of the call
 * @param response times from the intended start; absent without a rate
 */
public record OperationTotal(
        String operation,
        boolean counted,
        double ok,
        double failed,
        double unknown,
        double opsPerSecond,
        Percentiles service,
        Percentiles response) {}
