package io.ycsbdrill.client.run.measure;

import java.util.OptionalDouble;

/**
 * One window, all operations together, for display.
 *
 * @param index from 0
 * @param startNanos since run start, inclusive
 * @param endNanos since run start, exclusive
 * @param ok successful operations that completed in it
 * @param failed definitely not applied
 * @param unknown writes with unknown outcome
 * @param skipped arrivals of the schedule that were dropped
 * @param p99Micros 99th percentile of the service time of successful operations; empty when there were none
 * @param complete false for the current window as far as it is known
 */
public record WindowSnapshot(
        long index,
        long startNanos,
        long endNanos,
        long ok,
        long failed,
        long unknown,
        long skipped,
        OptionalDouble p99Micros,
        boolean complete) {}
