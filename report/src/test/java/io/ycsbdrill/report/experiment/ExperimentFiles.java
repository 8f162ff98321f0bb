package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.AtomicFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Writes the files of an experiment with one axis, {@code threads}, as the runner and its cells do. */
final class ExperimentFiles {
    private final Path directory;
    private final List<String> levels;
    private final int repeats;
    private String kind = "experiment";
    private String asked = "";
    private String operation = "READ";
    private String chart = "";
    private String host = "";

    ExperimentFiles(Path directory, int repeats, String... levels) {
        this.directory = directory;
        this.repeats = repeats;
        this.levels = List.of(levels);
    }

    ExperimentFiles ascending() {
        asked = "\"ascend\":\"threads\",";
        return this;
    }

    /** Repeated until the intervals of the throughput reach no further than this share above the ratio. */
    ExperimentFiles until(double share) {
        asked = "\"until\":" + share + ",";
        return this;
    }

    /** A comparison of the first two levels, in pairs. */
    ExperimentFiles pairs() {
        kind = "ab";
        return this;
    }

    /** The only one of the workload. */
    ExperimentFiles operation(String name) {
        operation = name;
        return this;
    }

    /** The processors of the machine. */
    ExperimentFiles cpus(int cpus) {
        host = ",\"host\":{\"cpus\":" + cpus + "}";
        return this;
    }

    /** The only chart. */
    ExperimentFiles chart(String figure) {
        chart = "{\"x\":\"threads\",\"y\":\"" + figure + "\"}";
        return this;
    }

    /** The plan; the cells are missing. */
    ExperimentFiles plan() {
        List<String> variants = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        for (int v = 1; v <= levels.size(); v++) {
            variants.add("{\"number\":%d,\"levels\":{\"threads\":\"%s\"},\"command\":\"ycsb run native -threads %s\"}"
                    .formatted(v, levels.get(v - 1), levels.get(v - 1)));
        }
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int v = 1; v <= levels.size(); v++) {
                cells.add(cell(v, repeat, false));
            }
            cells.add(cell(1, repeat, true));
        }
        write("plan.json", """
                {"schema":1,"kind":"%s","name":"sample","command":"run","tool":"test","createdAt":"2026-11-22T12:00:00Z",
                "order":"interleaved","repeats":%d,"seed":1,"success":{"okShare":1.0,"rateHeld":0.95},%s
                "axes":[{"name":"threads","levels":[%s]}],"variants":[%s],"charts":[%s],"cautions":[],"cells":[%s]}
                """.formatted(
                kind,
                repeats,
                asked,
                String.join(",", levels.stream().map(l -> "\"" + l + "\"").toList()),
                String.join(",", variants),
                chart,
                String.join(",", cells)));
        return this;
    }

    private static String cell(int variant, int repeat, boolean twin) {
        return "{\"id\":\"%s\",\"variant\":%d,\"repeat\":%d,\"twin\":%b}"
                .formatted(id(variant, repeat, twin), variant, repeat, twin);
    }

    private static String id(int variant, int repeat, boolean twin) {
        return String.format(Locale.ROOT, "v%03d-r%d%s", variant, repeat, twin ? "-aa" : "");
    }

    /** A cell that counts. */
    ExperimentFiles ok(int variant, int repeat, boolean twin, double throughput, double... micros) {
        String cell = "cells/" + id(variant, repeat, twin) + "/";
        double mean = Arrays.stream(micros).average().orElse(0);
        Histogram histogram = new Histogram(3_600_000_000_000L, 3);
        for (double one : micros) {
            histogram.recordValue(Math.round(one * 1000));
        }
        write(
                cell + "cell.json",
                "{\"state\":\"ok\",\"reason\":\"\",\"startedAt\":\"2026-11-22T12:00:00Z\",\"seconds\":10.5,\"exitCode\":0,\"position\":0}");
        write(
                cell + "run/run.json",
                "{\"schema\":1,\"state\":\"complete\",\"threads\":"
                        + (kind.equals("ab") ? "8" : levels.get(variant - 1)) + host + "}");
        write(
                cell + "run/summary.json",
                String.format(
                        Locale.ROOT,
                        """
                {"schema":1,"throughputOpsPerSecond":%f,"operations":{"%s":{"ok":%d,"failed":0,"unknown":0,"counted":true,"throughputOpsPerSecond":%f,
                "service":{"meanMicros":%f,"p50Micros":%f,"p95Micros":%f,"p99Micros":%f,"p99_9Micros":%f,"maxMicros":%f},"response":null}}}
                """,
                        throughput,
                        operation,
                        micros.length,
                        throughput,
                        mean,
                        mean,
                        mean,
                        at(histogram),
                        mean,
                        mean));
        write(
                cell + "run/totals.jsonl",
                "{\"operation\":\"" + operation + "\",\"outcome\":\"ok\",\"measure\":\"service\",\"count\":"
                        + micros.length + ",\"histogram\":\"" + encoded(histogram) + "\"}\n");
        return this;
    }

    private static double at(Histogram histogram) {
        return histogram.getValueAtPercentile(99) / 1000.0;
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(buffer.array(), 0, length);
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    ExperimentFiles na(int variant, int repeat, String reason) {
        write(
                "cells/" + id(variant, repeat, false) + "/cell.json",
                "{\"state\":\"NA\",\"reason\":\"" + reason
                        + "\",\"startedAt\":\"2026-11-22T12:00:00Z\",\"seconds\":1,\"exitCode\":1,\"position\":0}");
        return this;
    }

    /** What the drill of a cell that counts found: the members of a JSON object, as in {@code summary.json}. */
    ExperimentFiles drill(int variant, int repeat, boolean twin, String drill) {
        ok(variant, repeat, twin, 100, 100);
        String summary = "cells/" + id(variant, repeat, twin) + "/run/summary.json";
        try {
            String text = Files.readString(directory.resolve(summary)).strip();
            write(summary, text.substring(0, text.length() - 1) + ",\"drill\":{" + drill + "}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** A report that a cell links to. */
    ExperimentFiles report(int variant, int repeat) {
        write("cells/" + id(variant, repeat, false) + "/run/report.html", "<html></html>");
        return this;
    }

    private void write(String name, String content) {
        try {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            AtomicFile.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
