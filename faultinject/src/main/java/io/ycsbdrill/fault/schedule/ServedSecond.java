package io.ycsbdrill.fault.schedule;

/**
 * What the clients saw in one second of a run.
 *
 * @param ok operations that succeeded
 * @param failed operations that failed or are unknown
 * @param missing those of the failed ones that did not find a row
 * @param done transactions of the workload that were completed, successful or not
 * @param due transactions that the rate asked for; NaN in a closed loop
 * @param p99Millis of the operations that succeeded, response time where there is a rate; NaN when none did
 */
public record ServedSecond(long ok, long failed, long missing, long done, double due, double p99Millis) {}
