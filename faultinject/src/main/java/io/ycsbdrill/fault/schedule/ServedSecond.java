package io.ycsbdrill.fault.schedule;

/**
 * What the clients saw in one second of a run.
 *
 * @param ok operations that succeeded
 * @param failed operations that failed or are unknown
 * @param missing those of the failed ones that did not find a row
 * @param done transactions of the workload that were completed, successful or not
 * @param due transactions that the rate asked for; NaN in a closed loop
 * @param p50Millis of the operations that succeeded, response time where there is a rate; NaN when none did
 * @param p99Millis likewise
 */
public record ServedSecond(
        long ok, long failed, long missing, long done, double due, double p50Millis, double p99Millis) {

    /** The same second as two clients have seen it: a percentile is that of the one that has it worse. */
    public ServedSecond with(ServedSecond other) {
        return new ServedSecond(
                ok + other.ok,
                failed + other.failed,
                missing + other.missing,
                done + other.done,
                due + other.due,
                worse(p50Millis, other.p50Millis),
                worse(p99Millis, other.p99Millis));
    }

    private static double worse(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
    }
}
