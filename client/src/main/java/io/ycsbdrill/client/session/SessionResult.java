package io.ycsbdrill.client.session;

import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.summary.DrillSummary;
import java.util.Optional;

/**
 * What a session did.
 *
 * @param spec what was run, of all clients together
 * @param load the load before the run, if there was one
 * @param run how the run ended
 * @param text the stock result, as in {@code ycsb.txt}; empty when nothing was measured
 * @param summary metrics and verdict, with the data of the run directory; empty when the directory could not be read
 * @param report empty when it was not asked for, and when it could not be written
 * @param time what the time until here was for; empty when nothing was measured
 * @param problem why there is no summary, or no report that was asked for; empty when there is
 */
public record SessionResult(
        RunSpec spec,
        Optional<RunResult> load,
        RunResult run,
        String text,
        Optional<DrillSummary> summary,
        Optional<Report.Written> report,
        Optional<AnswerTime> time,
        Optional<String> problem) {

    /** What the audit found; empty without one, and when the run ended before anything could be read back. */
    public Optional<AuditData> audit() {
        return summary.flatMap(judged -> judged.run().audit());
    }
}
