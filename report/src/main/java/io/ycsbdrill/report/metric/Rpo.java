package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.RestoreData;
import io.ycsbdrill.report.data.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recovery point: how far back in time the loss of acknowledged writes reaches from the fault. Pure.
 */
final class Rpo {
    /** With no loss in n writes, 3/n is the 95 % bound on their probability (Hanley and Lippman-Hand, JAMA 249 (1983) 1743). */
    private static final double RULE_OF_THREE = 3;

    /** The age of the oldest write that each incident cost, the oldest, in seconds. */
    static Measure of(AuditData audit, List<Incident> incidents, List<Stage> stages) {
        Measure lost = DrillMetrics.ackedLost(audit);
        if (audit.restore().isPresent()) {
            return restored(audit.restore().get(), lost);
        }
        if (lost.value().isEmpty()) {
            return lost;
        }
        if (lost.value().getAsDouble() == 0) {
            return Measure.of(0, noneLost(audit));
        }
        return of(lost, audit.lostWrites(), incidents, stages);
    }

    /**
     * From the request of the backup to the loss, which no write that a right restore has taken is older than: the oldest may have been written
     * anew, and so not be found. When more was lost than that, at least what was found.
     */
    private static Measure restored(RestoreData restore, Measure lost) {
        if (lost.value().isEmpty() || lost.value().getAsDouble() > 0) {
            return restore.atLeastSeconds().isPresent()
                    ? Measure.atLeast(restore.atLeastSeconds().getAsDouble(), restore.text())
                    : Measure.absent(restore.text());
        }
        return restore.tookAcknowledged() && restore.atMostSeconds().isPresent()
                ? Measure.atMost(restore.atMostSeconds().getAsDouble(), "at most; " + restore.text())
                : Measure.absent(restore.text());
    }

    /** The same of these writes, when some are lost. */
    static Measure of(Measure lost, List<AuditData.LostWrite> writes, List<Incident> incidents, List<Stage> stages) {
        if (incidents.isEmpty()) {
            return Measure.absent("no fault was injected");
        }
        double oldest = Double.NaN;
        long later = 0;
        long either = 0;
        for (AuditData.LostWrite write : writes) {
            Optional<Incident> incident = cause(write, incidents);
            if (incident.isEmpty()) {
                later++;
            } else if (stages.stream().anyMatch(stage -> isBetween(stage, write, incident.get()))) {
                either++;
            } else {
                double age = Math.max(0, incident.get().effectiveSeconds() - write.startSeconds());
                oldest = age <= oldest ? oldest : age;
            }
        }
        List<String> notes = new ArrayList<>();
        note(notes, later, "were acknowledged after the fault, so their age is not known");
        note(notes, either, "may be due to a failure that nobody injected, so their age is not known");
        long unlisted = (long) lost.value().getAsDouble() - writes.size();
        if (unlisted > 0) {
            notes.add(Formatted.of("%,d more lost writes are not listed", unlisted));
        }
        String note = String.join("; ", notes);
        if (Double.isNaN(oldest)) {
            return Measure.absent(note);
        }
        return Measure.of(oldest, note, !note.isEmpty() || lost.censored());
    }

    private static void note(List<String> notes, long writes, String what) {
        if (writes > 0) {
            notes.add(Formatted.of("%,d lost writes %s", writes, what));
        }
    }

    /** Empty for a write that was acknowledged while a fault was in effect: nobody knows when it was lost. */
    private static Optional<Incident> cause(AuditData.LostWrite write, List<Incident> incidents) {
        for (Incident incident : incidents) {
            if (write.acknowledgedSeconds() <= incident.effectiveSeconds()) {
                return Optional.of(incident);
            }
            if (write.acknowledgedSeconds() < incident.over().orElse(Double.MAX_VALUE)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a failure that nobody injected came between: nobody knows which of the two has lost the write. One that begins after the
     * fault may be its doing.
     */
    private static boolean isBetween(Stage stage, AuditData.LostWrite write, Incident incident) {
        return stage.unplanned()
                && stage.endSeconds().orElse(Double.MAX_VALUE) > write.acknowledgedSeconds()
                && stage.startSeconds() < incident.startSeconds();
    }

    /** What can be said when no loss was found. Only the last write of a field can be found missing, so only these are in the bound. */
    static String noneLost(AuditData audit) {
        long writes = audit.acknowledged();
        long judged = audit.judgedLast();
        if (audit.restore().isPresent()) {
            return audit.restore().get().text();
        }
        if (writes == 0) {
            return "no write was acknowledged";
        }
        return judged == 0
                ? Formatted.of("none found among %,d acknowledged writes", writes)
                : Formatted.of(
                        "none of %,d judged writes lost; with 95 %% confidence fewer than %s %% (rule of three); %,d were acknowledged,"
                                + " only the last of a field can be judged",
                        judged, NumberText.threeDigits(100 * RULE_OF_THREE / judged), writes);
    }
}
