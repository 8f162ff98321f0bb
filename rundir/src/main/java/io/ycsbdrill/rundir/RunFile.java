package io.ycsbdrill.rundir;

/** The names of the files of a run directory; docs/run-directory.md describes each. The tables have theirs in {@link RunTable}. */
public final class RunFile {
    /** Version of the format, the field {@code schema} of its documents. */
    public static final int SCHEMA = 1;
    /** What stands for all calls together in the tables by operation. */
    public static final String TOTAL = "TOTAL";

    public static final String RUN = "run.json";
    public static final String SUMMARY = "summary.json";
    public static final String AUDIT = "audit.json";
    public static final String CONSISTENCY = "consistency.json";
    public static final String CLOCK = "clock.json";
    public static final String HISTOGRAMS = "windows.jsonl";
    public static final String TOTALS = "totals.jsonl";
    public static final String MARKERS = "markers.jsonl";
    public static final String STOCK_RESULT = "ycsb.txt";
    /** A folder: each write of an audited run. */
    public static final String JOURNAL = "journal";

    private RunFile() {}
}
