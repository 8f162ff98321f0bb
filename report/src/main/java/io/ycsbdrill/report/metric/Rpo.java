package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.AuditData;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Recovery point: how far back in time the loss of acknowledged writes reaches from the fault. Pure.
 */
final class Rpo {
    /** With no loss in n writes, 3/n is the 95 % bound on their probability (Hanley and Lippman-Hand, JAMA 249 (1983) 1743). */
    private static final double RULE_OF_THREE = 3;

    private Rpo() {}

    /** Of the oldest write that each incident cost, the oldest, in seconds. */
    static Measure of(AuditData audit, List<Incident> incidents) {
        Measure lost = DrillMetrics.ackedLost(audit);
        if (lost.value().isEmpty()) {
            return Measure.absent(lost.note());
        }
        if (lost.value().getAsDouble() == 0) {
            return Measure.of(0, noneLost(audit));
        }
        return of(lost, audit.lostWrites(), incidents);
    }

    /** The same of these writes, when some are lost. */
    static Measure of(Measure lost, List<AuditData.LostWrite> writes, List<Incident> incidents) {
        if (incidents.isEmpty()) {
            return Measure.absent("no fault was injected");
        }
        double oldest = Double.NaN;
        int later = 0;
        for (AuditData.LostWrite write : writes) {
            OptionalDouble age = age(write, incidents);
            later += age.isEmpty() ? 1 : 0;
            oldest = age.isPresent() && !(age.getAsDouble() <= oldest) ? age.getAsDouble() : oldest;
        }
        String note = later == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d lost writes were acknowledged after the fault, so their age is not known",
                        later);
        long unlisted = (long) lost.value().getAsDouble() - writes.size();
        if (unlisted > 0) {
            note += String.format(
                    Locale.ROOT, "%s%,d more lost writes are not listed", note.isEmpty() ? "" : "; ", unlisted);
        }
        if (Double.isNaN(oldest)) {
            return Measure.absent(note);
        }
        return Measure.of(oldest, note, !note.isEmpty() || lost.censored());
    }

    /** Empty for a write that was acknowledged while a fault was in effect: nobody knows when it was lost. */
    private static OptionalDouble age(AuditData.LostWrite write, List<Incident> incidents) {
        for (Incident incident : incidents) {
            double effective = incident.effectiveSeconds();
            if (write.acknowledgedSeconds() <= effective) {
                return OptionalDouble.of(Math.max(0, effective - write.startSeconds()));
            }
            if (write.acknowledgedSeconds() < incident.over().orElse(Double.MAX_VALUE)) {
                return OptionalDouble.empty();
            }
        }
        return OptionalDouble.empty();
    }

    /** What can be said when no loss was found: {@code 0 of 41,290 (95 %: fewer than 0.0073 %)}. */
    static String noneLost(AuditData audit) {
        long writes = audit.acknowledged();
        return writes == 0
                ? "no write was acknowledged"
                : String.format(
                        Locale.ROOT,
                        "none of %,d lost; with 95 %% confidence fewer than %s %% (rule of three)",
                        writes,
                        NumberText.threeDigits(100 * RULE_OF_THREE / writes));
    }
}
