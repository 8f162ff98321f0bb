package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.AuditData.LostWrite;
import io.ycsbdrill.report.data.RunData;
import java.util.List;

/**
 * What one cycle cost of the writes that the whole run was audited for.
 *
 * @param ackedLost acknowledged writes that were lost
 * @param rpo age of the oldest of them at its fault, in seconds
 */
public record CycleLosses(Measure ackedLost, Measure rpo) {

    /** A lost write belongs to the first cycle with faults that was not over when it was acknowledged. */
    static CycleLosses of(AuditData audit, RunData cycle, double afterSeconds, double untilSeconds) {
        Measure all = DrillMetrics.ackedLost(audit);
        if (all.value().isEmpty() || all.value().getAsDouble() == 0) {
            Measure none = all.value().isEmpty() ? all : Measure.of(0, "");
            return new CycleLosses(none, none);
        }
        List<LostWrite> own = audit.lostWrites().stream()
                .filter(write -> write.acknowledgedSeconds() > afterSeconds)
                .filter(write -> write.acknowledgedSeconds() <= untilSeconds)
                .toList();
        long unlisted = (long) all.value().getAsDouble() - audit.lostWrites().size();
        boolean open = all.censored() || unlisted > 0;
        String note = unlisted > 0 ? Formatted.of("%,d lost writes of the run are not listed", unlisted) : all.note();
        Measure lost = Measure.of(own.size(), note, open);
        Measure rpo = own.isEmpty() ? Measure.of(0, note, open) : Rpo.of(lost, own, Incident.of(cycle), cycle.stages());
        return new CycleLosses(lost, rpo);
    }
}
