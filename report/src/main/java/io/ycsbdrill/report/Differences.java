package io.ycsbdrill.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** In what two runs are unlike. Binding, engine and host may differ: they are what comparisons are for. */
final class Differences {
    private static final List<String> FIELDS = List.of(
            "/mode",
            "/workload",
            "/threads",
            "/windowNanos",
            "/sliceNanos",
            "/rate",
            "/retry/temporary",
            "/retry/backoffNanos",
            "/drill/name");
    private static final List<String> PROPERTIES = List.of(
            "recordcount",
            "fieldcount",
            "fieldlength",
            "readproportion",
            "updateproportion",
            "insertproportion",
            "scanproportion",
            "readmodifywriteproportion",
            "requestdistribution",
            "readallfields",
            "writeallfields",
            "maxscanlength");

    private Differences() {}

    static List<String> of(RunData a, RunData b) {
        List<String> differences = new ArrayList<>();
        for (String field : FIELDS) {
            compare(
                    field.substring(1).replace('/', '.'),
                    a.run().at(field),
                    b.run().at(field),
                    differences);
        }
        for (String property : PROPERTIES) {
            compare(
                    property,
                    a.run().path("properties").path(property),
                    b.run().path("properties").path(property),
                    differences);
        }
        a.unsound().forEach(reason -> differences.add("A does not count: " + reason));
        b.unsound().forEach(reason -> differences.add("B does not count: " + reason));
        return differences;
    }

    private static void compare(String name, JsonNode a, JsonNode b, List<String> differences) {
        String first = a.isValueNode() ? a.asText() : a.toString();
        String second = b.isValueNode() ? b.asText() : b.toString();
        if (!first.equals(second)) {
            differences.add(name + ": A " + shown(first) + ", B " + shown(second));
        }
    }

    private static String shown(String value) {
        return value.isEmpty() || value.equals("null") ? "has none" : "has " + value;
    }
}
