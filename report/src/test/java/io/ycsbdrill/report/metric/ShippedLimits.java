package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.summary.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The limits of the drills that are shipped, as {@code run.json} has them. */
final class ShippedLimits {
    private static final Path DRILLS = Path.of("..", "workloads", "drills");
    private static final Pattern LIMIT = Pattern.compile("^  (\\w+): +([\\d.]+)?(ms|s|m|%|any)?\\s*(#.*)?$");
    private static final Map<String, Double> SECONDS = Map.of("ms", 0.001, "s", 1.0, "m", 60.0);

    private ShippedLimits() {}

    /** By the name of the drill. */
    static Map<String, ObjectNode> all() throws IOException {
        Map<String, ObjectNode> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(DRILLS)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).toList()) {
                all.put(file.getFileName().toString().replace(".yaml", ""), limits(file));
            }
        }
        return all;
    }

    private static ObjectNode limits(Path file) throws IOException {
        ObjectNode limits = JsonNodeFactory.instance.objectNode();
        String block = Files.readString(file).replaceFirst("(?s).*?(\\nlimits:\\n|$)", "");
        for (String line : block.lines()
                .takeWhile(l -> l.startsWith("  "))
                .filter(l -> !l.strip().startsWith("#"))
                .toList()) {
            Matcher limit = LIMIT.matcher(line);
            if (!limit.matches()) {
                throw new IOException(file + ": " + line);
            }
            put(limits, limit.group(1), limit.group(2), limit.group(3) == null ? "" : limit.group(3));
        }
        return limits;
    }

    private static void put(ObjectNode limits, String key, String number, String unit) {
        Matcher words = Pattern.compile("_(.)").matcher(key);
        String camel = words.replaceAll(next -> next.group(1).toUpperCase(java.util.Locale.ROOT));
        if (unit.equals("any")) {
            limits.put(camel, "any");
            return;
        }
        String name = Arrays.stream(Limit.values())
                .map(Limit::key)
                .filter(known ->
                        known.equals(camel + (unit.equals("%") ? "Percent" : "Seconds")) || known.equals(camel))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .orElseThrow(() -> new IllegalStateException(key));
        limits.put(name, Double.parseDouble(number) * SECONDS.getOrDefault(unit, 1.0));
    }
}
