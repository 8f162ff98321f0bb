package io.ycsbdrill.testing.assertj;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.testing.DrillResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The course of a drill in a few lines, for failure messages. */
final class WhatHappened {
    static String in(DrillResult drill) {
        List<String> lines = new ArrayList<>();
        for (FaultMetrics fault : drill.metrics().faults()) {
            lines.add(format(
                    "fault %d: %s, %.1f s after run start", fault.number(), fault.title(), fault.startSeconds()));
        }
        if (lines.isEmpty()) {
            lines.add("no fault was injected");
        }
        Map<String, List<String>> recoveries = new LinkedHashMap<>();
        for (Stage stage : drill.phases()) {
            recoveries
                    .computeIfAbsent(stage.node() + " after " + stage.cause(), k -> new ArrayList<>())
                    .add(stage.phase() + " "
                            + (stage.seconds().isPresent()
                                    ? format("%.2f s", stage.seconds().getAsDouble())
                                    : "still open"));
        }
        recoveries.forEach((node, phases) -> lines.add("recovery of " + node + ": " + String.join(", ", phases)));
        Gap gap = drill.metrics().gaps().get("TOTAL");
        if (gap != null) {
            lines.add(format(
                    "longest gap without a success: %.1f s ± %.1f s, from %.1f s on%s",
                    gap.seconds(),
                    gap.plusMinusSeconds(),
                    gap.startSeconds(),
                    gap.open() ? ", and no success followed" : ""));
        }
        lines.add("after the first fault: " + count(drill, Metric.FAILED) + " failed, " + count(drill, Metric.UNKNOWN)
                + " of unknown outcome; in the whole run: " + drill.ok() + " ok, " + drill.failed() + " failed, "
                + drill.unknown() + " unknown");
        return String.join("\n", lines).indent(2);
    }

    private static String count(DrillResult drill, Metric metric) {
        OptionalDouble value = drill.metric(metric);
        return value.isPresent() ? format("%.0f", value.getAsDouble()) : "n/a";
    }

    private static String format(String text, Object... values) {
        return Formatted.of(text, values);
    }
}
