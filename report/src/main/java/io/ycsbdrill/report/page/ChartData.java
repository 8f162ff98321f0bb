package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.metric.KeyLines;
import io.ycsbdrill.rundir.Window;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The numbers behind the charts of a page, as compact JSON. Missing values are null, so that lines have gaps there. */
public final class ChartData {
    /** With more slices than this (of 100 ms: from 42 minutes on) a page keeps only the lowest and the highest of each group of slices. */
    public static final int MOST_SLICES = 50_000;

    private ChartData() {}

    public static ObjectNode of(RunData run) {
        int slices = run.slices().count();
        ObjectNode data = of(run, 0, Math.max(1, (int) Math.ceil(2.0 * slices / MOST_SLICES)));
        ClientPanel.of(run.clients())
                .filter(client -> !client.isEmpty())
                .ifPresent(client -> data.set("client", client.data()));
        ArrayNode keys = data.putArray("keys");
        KeyLines.of(run).forEach(line -> {
            ObjectNode item = keys.addObject().put("name", line.name()).put("target", line.target());
            ArrayNode at = item.putArray("at");
            Arrays.stream(line.atSeconds()).forEach(seconds -> add(at, seconds));
            ArrayNode percent = item.putArray("percent");
            Arrays.stream(line.percent()).forEach(value -> add(percent, value));
        });
        return data;
    }

    /**
     * Makes the data of a part of a run.
     *
     * @param firstSlice number of the first of its slices
     * @param group slices that share their two points
     */
    public static ObjectNode of(RunData run, int firstSlice, int group) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("title", run.title());
        data.put("from", calibratedSeconds(run));
        data.put("duration", run.durationSeconds());
        data.put("windowSeconds", run.windowSeconds());
        data.put("sliceSeconds", run.slices().seconds());
        data.put("shade", Palette.SHADE);
        windows(run, data.putObject("windows"));
        slices(run.slices(), firstSlice, group, data.putObject("slices"));
        ArrayNode phases = data.putArray("phases");
        run.stages().forEach(stage -> {
            ObjectNode item = phases.addObject();
            item.put("from", stage.startSeconds());
            item.put("to", stage.endSeconds().orElse(run.durationSeconds()));
            item.put("label", stage.brief());
            item.put("phase", stage.phase());
            item.put("node", stage.node());
            item.put("colour", Palette.phase(stage.phase()));
        });
        ArrayNode lines = data.putArray("lines");
        ChartLine.of(run).forEach(line -> {
            ObjectNode item = lines.addObject();
            item.put("at", line.atSeconds());
            item.put("label", line.label());
            item.put("text", line.text());
            item.put("fault", line.fault());
        });
        return data;
    }

    /** The end of the calibration, where charts begin; 0 without one, or when it is all that there is. */
    static double calibratedSeconds(RunData run) {
        double since = run.loadSinceSeconds();
        return since < run.durationSeconds() ? since : 0;
    }

    /** The windows that are drawn: without the last one when it was cut short, whose few operations would look like a fall. */
    static List<Window> drawn(RunData run, String operation) {
        double least = 0.99 * run.windowSeconds();
        List<Window> windows = run.windows(operation);
        return windows.size() > 1 && windows.get(windows.size() - 1).seconds() < least
                ? windows.subList(0, windows.size() - 1)
                : windows;
    }

    private static void windows(RunData run, ObjectNode node) {
        run.operations().forEach(operation -> windows(drawn(run, operation), node.putObject(operation)));
        windows(drawn(run, Slices.TOTAL), node.putObject(Slices.TOTAL));
    }

    private static void windows(List<Window> windows, ObjectNode node) {
        column(windows, node, "at", Window::middleSeconds);
        column(windows, node, "rate", Window::throughput);
        column(windows, node, "mean", w -> w.service().mean() / 1000);
        column(windows, node, "p95", w -> w.service().p95() / 1000);
        column(windows, node, "p99", w -> w.service().p99() / 1000);
        if (windows.stream().anyMatch(w -> w.response().present())) {
            column(windows, node, "responseMean", w -> w.response().mean() / 1000);
            column(windows, node, "responseP95", w -> w.response().p95() / 1000);
            column(windows, node, "responseP99", w -> w.response().p99() / 1000);
        }
    }

    private static void column(List<Window> windows, ObjectNode node, String name, ToDoubleFunction<Window> value) {
        ArrayNode array = node.putArray(name);
        windows.forEach(window -> add(array, value.applyAsDouble(window)));
    }

    private static void slices(Slices slices, int first, int group, ObjectNode node) {
        node.put("group", group);
        slices.byOperation().forEach((operation, columns) -> {
            ObjectNode item = node.putObject(operation);
            rates(columns.ok(), slices, first, group, item);
            highest(columns.maxMicros(), first, group, slices.seconds(), item.putArray("maxAt"), item.putArray("max"));
            if (operation.equals(Slices.TOTAL)) {
                counts(
                        columns.failed(),
                        first,
                        group,
                        slices.seconds(),
                        item.putArray("failedAt"),
                        item.putArray("failed"));
                counts(
                        columns.unknown(),
                        first,
                        group,
                        slices.seconds(),
                        item.putArray("unknownAt"),
                        item.putArray("unknown"));
            }
        });
    }

    private static void rates(double[] ok, Slices slices, int first, int group, ObjectNode item) {
        ArrayNode at = item.putArray("rateAt");
        ArrayNode rate = item.putArray("rate");
        for (int slice : slices.extremes(ok, group)) {
            add(at, (first + slice + 0.5) * slices.seconds());
            add(rate, ok[slice] / slices.seconds());
        }
    }

    private static void highest(double[] micros, int first, int group, double seconds, ArrayNode at, ArrayNode out) {
        for (int from = 0; from < micros.length; from += group) {
            int high = from;
            for (int i = from; i < Math.min(micros.length, from + group); i++) {
                high = Double.isNaN(micros[high]) || micros[i] > micros[high] ? i : high;
            }
            add(at, (first + high + 0.5) * seconds);
            add(out, micros[high] / 1000);
        }
    }

    /** The highest count of each group; only slices that have any are kept, as they are few. */
    private static void counts(double[] values, int first, int group, double seconds, ArrayNode at, ArrayNode out) {
        for (int from = 0; from < values.length; from += group) {
            int high = from;
            for (int i = from; i < Math.min(values.length, from + group); i++) {
                high = values[i] > values[high] ? i : high;
            }
            if (values[high] > 0) {
                add(at, (first + high) * seconds);
                add(out, values[high]);
            }
        }
    }

    private static void add(ArrayNode array, double value) {
        if (!Double.isFinite(value)) {
            array.addNull();
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            array.add((long) value);
        } else {
            // Four significant digits below a thousand, whole numbers of tenths above: more than a screen can show.
            double scale = Math.abs(value) < 1000 ? 10_000 : 10;
            array.add(Math.round(value * scale) / scale);
        }
    }
}
