package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds out how two runs differ that should be alike. Binding, engine and host may differ: comparisons are made for that. */
public final class Differences {
    private static final List<String> FIELDS = List.of("""
            /mode /workload /threads /windowNanos /sliceNanos /warmupNanos /rate /load/kind /load/share /load/afterStall
            /opTimeout/seconds /retry/temporary /retry/backoffNanos /drill/name /drill/cycles/count
            /drill/cycles/nulls""".split("\\s+"));
    private static final List<String> PROPERTIES = List.of("""
            recordcount fieldcount fieldlength minfieldlength fieldlengthdistribution insertorder readproportion
            updateproportion insertproportion scanproportion readmodifywriteproportion requestdistribution
            hotspotdatafraction hotspotopnfraction readallfields writeallfields minscanlength maxscanlength
            scanlengthdistribution tpcc.mode tpcc.warehouses tpcc.customers tpcc.items tpcc.retries tpcc.backoff""".split("\\s+"));

    /** Longer ones, and what is no number, are shown as they are. */
    private static final String NANOS = "[0-9]{1,18}";

    private Differences() {}

    static List<String> of(RunData a, RunData b) {
        List<String> differences = new ArrayList<>();
        Map<String, String> second = likeness(b);
        likeness(a).forEach((name, value) -> {
            if (!value.equals(second.get(name))) {
                differences.add(
                        named(name) + ": A has " + shown(name, value) + ", B has " + shown(name, second.get(name)));
            }
        });
        a.unsound().forEach(reason -> differences.add("A is invalid: " + reason));
        b.unsound().forEach(reason -> differences.add("B is invalid: " + reason));
        return differences;
    }

    /** What has to be the same, by name, in the order in which differences are listed. */
    public static Map<String, String> likeness(RunData run) {
        Map<String, String> likeness = new LinkedHashMap<>();
        for (String field : FIELDS) {
            likeness.put(field.substring(1).replace('/', '.'), text(run.run().at(field)));
        }
        for (String property : PROPERTIES) {
            likeness.put(property, text(run.run().path("properties").path(property)));
        }
        likeness.put("audit", run.audit().isPresent() ? "one" : "");
        return likeness;
    }

    private static String text(JsonNode value) {
        return value.isNull() ? "" : value.isValueNode() ? value.asText() : value.toString();
    }

    /** One of these in a title: {@code threads 8}, {@code window 1 s}, {@code no audit}. */
    public static String words(String name, String value) {
        String shown = shown(name, value);
        return shown.equals("none")
                ? "no " + named(name)
                : name.equals("audit") ? "audited" : named(name) + " " + shown;
    }

    private static String named(String name) {
        return name.replaceFirst("Nanos$|(?<=^drill)\\.name$|(?<=cycles)\\.count$", "")
                .replace("opTimeout.seconds", "op.timeout");
    }

    private static String shown(String name, String value) {
        return value.isEmpty() ? "none" : name.endsWith("Nanos") && value.matches(NANOS) ? seconds(value) : value;
    }

    private static String seconds(String nanos) {
        return (Long.parseLong(nanos) / 1e9 + " s").replace(".0 s", " s");
    }
}
