package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus' text format 0.0.4, read strictly: every sample belongs to a family with HELP and TYPE before it, families come in one
 * piece, no sample is there twice, and histograms add up.
 */
final class PrometheusText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\+Inf|NaN|-?[0-9.]+(?:E-?[0-9]+)?)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\",?");
    private static final List<String> OF_HISTOGRAM = List.of("_bucket", "_sum", "_count");

    private final Map<String, Map<Map<String, String>, Double>> samples = new HashMap<>();
    private final Map<String, String> types = new LinkedHashMap<>();

    static PrometheusText parse(String text) {
        assertThat(text).endsWith("\n");
        PrometheusText parsed = new PrometheusText();
        Set<String> closed = new HashSet<>();
        String help = "";
        String family = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                help = line.split(" ", 4)[2];
                assertThat(line.split(" ", 4)).as(line).hasSize(4);
            } else if (line.startsWith("# TYPE ")) {
                closed.add(family);
                String[] words = line.split(" ");
                family = words[2];
                assertThat(family).as(line).isEqualTo(help);
                assertThat(closed).as(line).doesNotContain(family);
                assertThat(words[3]).as(line).isIn("counter", "gauge", "histogram");
                parsed.types.put(family, words[3]);
            } else {
                parsed.sample(family, line);
            }
        }
        parsed.types.forEach((name, type) -> {
            assertThat(type.equals("counter")).as(name).isEqualTo(name.endsWith("_total"));
            if (type.equals("histogram")) {
                parsed.checkHistogram(name);
            }
        });
        return parsed;
    }

    /** Of all samples. */
    Set<String> names() {
        return samples.keySet();
    }

    private void sample(String family, String line) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(1);
        boolean belongs = types.get(family).equals("histogram")
                ? OF_HISTOGRAM.contains(name.substring(Math.min(name.length(), family.length())))
                : name.equals(family);
        assertThat(belongs).as(line).isTrue();
        Map<String, String> labels = new LinkedHashMap<>();
        String written = sample.group(2) == null ? "" : sample.group(2);
        Matcher label = LABEL.matcher(written);
        int end = 0;
        for (; label.lookingAt(); label.region(end, written.length())) {
            labels.put(label.group(1), label.group(2));
            end = label.end();
        }
        assertThat(end).as(line).isEqualTo(written.length());
        Double before = samples.computeIfAbsent(name, none -> new LinkedHashMap<>())
                .put(labels, Double.valueOf(sample.group(3).replace("+Inf", "Infinity")));
        assertThat(before).as(line).isNull();
    }

    private void checkHistogram(String family) {
        samples.get(family + "_count").forEach((labels, count) -> {
            List<Double> buckets = new ArrayList<>();
            samples.get(family + "_bucket").forEach((bucket, value) -> {
                Map<String, String> others = new HashMap<>(bucket);
                others.remove("le");
                if (others.equals(labels)) {
                    buckets.add(value);
                }
            });
            assertThat(buckets).as(family + labels).isSorted().last().isEqualTo(count);
            assertThat(samples.get(family + "_sum")).containsKey(labels);
        });
    }

    /** Of exactly these labels. */
    double value(String name, Map<String, String> labels) {
        assertThat(samples).containsKey(name);
        assertThat(samples.get(name)).containsKey(labels);
        return samples.get(name).get(labels);
    }

    /** Of all samples that have these labels among theirs. */
    double sum(String name, Map<String, String> labels) {
        return samples.get(name).entrySet().stream()
                .filter(sample -> sample.getKey().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
