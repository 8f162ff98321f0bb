package io.ycsbdrill.rundir;

/**
 * One row of {@code windows.csv}.
 *
 * @param index from 0
 * @param startSeconds since run start, inclusive
 * @param endSeconds since run start, exclusive
 * @param ok successful operations completed in it
 * @param failed definitely not applied
 * @param unknown writes that may have been applied
 * @param skipped arrivals dropped; 0 unless it is a {@code TOTAL} row
 * @param service from the start of the call
 * @param response from the intended start; absent without a rate
 * @param phase at the window's end; empty without a drill
 */
public record Window(
        int index,
        double startSeconds,
        double endSeconds,
        long ok,
        long failed,
        long unknown,
        long skipped,
        Percentiles service,
        Percentiles response,
        String phase) {

    /**
     * The row as read.
     *
     * @throws IllegalArgumentException when it is damaged
     */
    public static Window of(CsvRow row) {
        double start = row.required("start_s");
        double end = row.required("end_s");
        if (end < start) {
            throw new IllegalArgumentException("end_s " + end + " is before start_s " + start);
        }
        return new Window(
                row.number32("window"),
                start,
                end,
                row.count("ok"),
                row.count("failed"),
                row.count("unknown"),
                row.text("skipped").isEmpty() ? 0 : row.count("skipped"),
                Percentiles.of(latency -> row.orNaN(latency.column("service"))),
                Percentiles.of(latency -> row.orNaN(latency.column("response"))),
                row.text("phase"));
    }

    /** The latency that a user saw: response time when a rate was set, service time of a closed loop. */
    public Percentiles latency() {
        return Double.isFinite(response.p99()) ? response : service;
    }

    /** The length of the window; the last window of a run may be shorter than the others. */
    public double seconds() {
        return endSeconds - startSeconds;
    }

    /** Its middle, since run start. */
    public double middleSeconds() {
        return (startSeconds + endSeconds) / 2;
    }

    /** Successful operations per second; NaN for an empty window. */
    public double throughput() {
        return seconds() > 0 ? ok / seconds() : Double.NaN;
    }
}
