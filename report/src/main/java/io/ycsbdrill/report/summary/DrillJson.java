package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.PhaseImpact;
import java.util.List;
import java.util.Map;

/** Metrics and verdict as the {@code drill} section of {@code summary.json}; what was not measured is left out, never 0. */
final class DrillJson {
    static ObjectNode of(RunData run, DrillMetrics metrics, Verdict verdict, List<String> cautions) {
        ObjectNode drill = JsonNodeFactory.instance.objectNode();
        drill.put("name", run.run().path("drill").path("name").asText(""));
        drill.set("verdict", verdict(verdict));
        ArrayNode said = drill.putArray("cautions");
        cautions.forEach(said::add);
        drill.set("overall", measures(metrics.overall()));
        if (metrics.audit().isPresent()) {
            drill.set("ackedLost", measure(metrics.ackedLost()));
            drill.set("rpoSeconds", measure(metrics.rpo()));
        }
        if (metrics.consistency().isPresent()) {
            drill.set("inconsistent", measure(metrics.inconsistent()));
        }
        drill.set("gaps", gaps(metrics.gaps()));
        drill.set("operations", operations(metrics.operations()));
        ArrayNode faults = drill.putArray("faults");
        metrics.faults().forEach(fault -> faults.add(fault(fault)));
        if (!metrics.cycles().isEmpty()) {
            drill.set("cycles", CycleJson.of(metrics));
        }
        ArrayNode recoveries = drill.putArray("recoveries");
        StageSum.of(run.stages()).forEach(sum -> recoveries.add(recovery(sum)));
        return drill;
    }

    /** {@code {"outcome":"fail","checks":[...],"unsound":[...]}}. */
    static ObjectNode verdict(Verdict verdict) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("outcome", verdict.outcome().label());
        ArrayNode checks = node.putArray("checks");
        for (Check check : verdict.checks()) {
            ObjectNode item = checks.addObject();
            item.put("limit", check.key());
            if (!Double.isNaN(check.allowed())) {
                item.put("allowed", check.allowed());
            }
            check.measured().ifPresent(value -> item.put("measured", rounded(value)));
            if (!check.bound().isEmpty()) {
                item.put(check.bound().equals(NumberText.AT_MOST) ? "atMost" : "censored", true);
            }
            item.put("unit", check.unit());
            item.put("result", check.result().label());
            if (!check.reason().isEmpty()) {
                item.put("reason", check.reason());
            }
            if (!check.missedIn().isEmpty()) {
                item.put("missedIn", check.missedIn());
            }
        }
        ArrayNode unsound = node.putArray("unsound");
        verdict.unsound().forEach(unsound::add);
        return node;
    }

    private static ObjectNode fault(FaultMetrics fault) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("number", fault.number());
        node.put("fault", fault.fault());
        node.put("node", fault.node());
        node.put("startSeconds", rounded(fault.startSeconds()));
        node.put("endSeconds", rounded(fault.endSeconds()));
        ArrayNode overlaps = node.putArray("overlaps");
        fault.overlaps().forEach(overlaps::add);
        node.set("metrics", measures(fault.measures()));
        ArrayNode phases = node.putArray("phases");
        fault.impacts().forEach(impact -> phases.add(impact(impact)));
        node.set("gaps", gaps(fault.gaps()));
        node.set("baselineGaps", gaps(fault.baselineGaps()));
        node.set("operations", operations(fault.operations()));
        return node;
    }

    static ObjectNode measures(Map<Metric, Measure> measures) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode notes = JsonNodeFactory.instance.objectNode();
        ArrayNode censored = JsonNodeFactory.instance.arrayNode();
        ArrayNode notApplicable = JsonNodeFactory.instance.arrayNode();
        measures.forEach((metric, measure) -> {
            measure.value().ifPresent(value -> node.put(metric.key(), rounded(value)));
            if (measure.censored()) {
                censored.add(metric.key());
            }
            if (!measure.applicable()) {
                notApplicable.add(metric.key());
            }
            if (!measure.note().isEmpty()) {
                notes.put(metric.key(), measure.note());
            }
        });
        node.set("notes", notes);
        if (!censored.isEmpty()) {
            node.set("censored", censored);
        }
        if (!notApplicable.isEmpty()) {
            node.set("notApplicable", notApplicable);
        }
        return node;
    }

    static ObjectNode measure(Measure measure) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        measure.value().ifPresent(value -> node.put("value", rounded(value)));
        node.put("note", measure.note()).put("censored", measure.censored());
        return measure.atMost() ? node.put("atMost", true) : node;
    }

    private static ObjectNode impact(PhaseImpact impact) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("phase", impact.phase())
                .put("seconds", rounded(impact.seconds()))
                .put("open", impact.open());
        impact.meanPercent().ifPresent(value -> node.put("meanPercent", rounded(value)));
        impact.worstPercent().ifPresent(value -> node.put("worstSecondPercent", rounded(value)));
        impact.p99Factor().ifPresent(value -> node.put("p99Factor", rounded(value)));
        node.put("failed", rounded(impact.failed())).put("unknown", rounded(impact.unknown()));
        impact.lostSeconds().ifPresent(value -> node.put("lostSeconds", rounded(value)));
        return node;
    }

    private static ObjectNode gaps(Map<String, Gap> gaps) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        gaps.forEach((operation, gap) -> {
            ObjectNode item = node.putObject(operation);
            item.put("startSeconds", rounded(gap.startSeconds()));
            item.put("seconds", rounded(gap.seconds()));
            item.put("plusMinusSeconds", rounded(gap.plusMinusSeconds()));
            item.put("open", gap.open());
        });
        return node;
    }

    private static ObjectNode operations(Map<String, Map<Metric, Measure>> operations) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        operations.forEach((operation, measures) -> node.set(operation, measures(measures)));
        return node;
    }

    private static ObjectNode recovery(StageSum sum) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        Stage first = sum.stages().get(0);
        node.put("step", first.step());
        node.put("occurrence", first.occurrence());
        node.put("fault", first.fault());
        node.put("node", first.node());
        ObjectNode stages = node.putObject("phaseSeconds");
        sum.stages().stream().map(Stage::phase).distinct().forEach(phase -> sum.seconds(phase)
                .ifPresent(value -> stages.put(phase, rounded(value))));
        sum.sumSeconds().ifPresent(value -> node.put("sumSeconds", rounded(value)));
        sum.totalSeconds().ifPresent(value -> node.put("totalSeconds", rounded(value)));
        return node;
    }

    /** To the microsecond: more digits would only be noise of binary fractions. */
    static double rounded(double value) {
        return Math.round(value * 1e6) / 1e6;
    }
}
