package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.RestoreData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Hit;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What happened, in a few sentences. Stateless. */
final class Story {
    /** With more faults than these the tables say it better. */
    private static final int MOST_FAULTS = 4;

    /** A paragraph for each fault, and one for the writes; empty without faults, with many, and for cycles. */
    static List<String> of(DrillMetrics metrics) {
        List<String> paragraphs = new ArrayList<>();
        if (!metrics.cycles().isEmpty()
                || metrics.faults().isEmpty()
                || metrics.faults().size() > MOST_FAULTS) {
            return paragraphs;
        }
        metrics.faults().forEach(fault -> paragraphs.add(fault(fault)));
        Optional<String> restored = metrics.audit().flatMap(AuditData::restore).map(RestoreData::text);
        OptionalDouble lost = metrics.ackedLost().value();
        if (metrics.audit().isPresent() && lost.isPresent()) {
            paragraphs.add(
                    lost.getAsDouble() == 0 && !metrics.ackedLost().censored()
                            ? restored.isPresent()
                                    ? "No acknowledged write was lost that the backup, or the cluster since, must have."
                                    : "No acknowledged write that could be judged was lost."
                            : "Acknowledged writes were lost: " + NumberText.ackedLost(metrics) + ".");
        }
        restored.ifPresent(
                cost -> paragraphs.add(cost.substring(0, 1).toUpperCase(Locale.ROOT) + cost.substring(1) + "."));
        return paragraphs;
    }

    private static String fault(FaultMetrics fault) {
        Measure base = fault.get(Metric.BASELINE);
        return "At " + NumberText.seconds(fault.startSeconds()) + " s, "
                + (base.value().isPresent()
                        ? "under " + NumberText.of(base.value()).replaceFirst("\\.\\d+$", "")
                                + " operations per second, "
                        : "")
                + "fault \u201c" + Hit.called(fault.fault()) + "\u201d began"
                + (fault.node().isEmpty() ? "" : " on " + fault.node()) + ". "
                + outage(fault.get(Metric.OUT)) + ", " + lost(fault.get(Metric.LOST_SECONDS)) + ". "
                + over(fault) + ".";
    }

    private static String outage(Measure out) {
        return out.value().isEmpty()
                ? "How long the service was out is unknown"
                : out.value().getAsDouble() == 0 && !out.censored()
                        ? "The service was never out for half a second or more"
                        : out.note().replaceFirst("^([A-Z_-]+); .*|.*", "$1").replaceFirst("^$", "The service")
                                + " was out for " + NumberText.measure(Metric.OUT, out);
    }

    private static String lost(Measure lost) {
        return lost.value().isEmpty()
                ? "and what it cost is unknown"
                : "and the fault cost what " + NumberText.measure(Metric.LOST_SECONDS, lost)
                        + " without any service would";
    }

    /** The one answer to when it was over: when service and redundancy both were back. */
    static String over(FaultMetrics fault) {
        OptionalDouble over = fault.overSeconds();
        return (over.isPresent()
                        ? "It was over after " + NumberText.seconds(over.getAsDouble() - fault.startSeconds()) + " s"
                        : "It was not over when the data ended")
                + ": " + details(fault);
    }

    private static String details(FaultMetrics fault) {
        return restored("service", fault.get(Metric.SERVICE_RESTORED)) + ", "
                + restored("redundancy", fault.get(Metric.REDUNDANCY_RESTORED));
    }

    private static String restored(String what, Measure measure) {
        return what
                + (!measure.applicable()
                        ? " never lost"
                        : measure.value().isEmpty()
                                ? " not restored"
                                : " restored after " + NumberText.measure(Metric.SERVICE_RESTORED, measure));
    }

    /** The same for the top of the page; of several faults the latest end. */
    static ReportPage.Figure tile(DrillMetrics metrics) {
        List<FaultMetrics> faults = metrics.faults();
        if (faults.size() != 1) {
            long over = faults.stream()
                    .filter(fault -> fault.overSeconds().isPresent())
                    .count();
            return new ReportPage.Figure("Over", over + " of " + faults.size() + " faults", "by the end of the data");
        }
        FaultMetrics fault = faults.get(0);
        OptionalDouble over = fault.overSeconds();
        return new ReportPage.Figure(
                "Over after",
                over.isPresent() ? NumberText.seconds(over.getAsDouble() - fault.startSeconds()) + " s" : "not over",
                details(fault));
    }
}
