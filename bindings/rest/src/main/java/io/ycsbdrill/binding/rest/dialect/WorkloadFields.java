package io.ycsbdrill.binding.rest.dialect;

import io.ycsbdrill.binding.BindingProperties;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table and the workload according to YCSB's own properties. Stateless. */
final class WorkloadFields {
    private static final List<String> WRITING =
            List.of("updateproportion", "insertproportion", "readmodifywriteproportion");

    /** The names of the table's fields, in order. */
    static List<String> names(BindingProperties properties) {
        String prefix = properties.text("fieldnameprefix", "field");
        return IntStream.range(0, properties.integer("fieldcount", 10, 1, 100_000))
                .mapToObj(i -> prefix + i)
                .toList();
    }

    /** Whether the run will write, as far as YCSB's core workload goes: a load does, and so do most mixes. */
    static boolean writes(BindingProperties properties) {
        Stream<Boolean> mix = WRITING.stream()
                .map(key -> positive(properties.text(key, key.equals("updateproportion") ? "0.05" : "0")));
        return !properties.flag("dotransactions", true) || mix.anyMatch(writes -> writes);
    }

    /** Whether the run will scan, as far as YCSB's core workload goes. */
    static boolean scans(BindingProperties properties) {
        return positive(properties.text("scanproportion", "0"));
    }

    /** Whether the value is positive; one that is not a number is left to the workload to report. */
    private static boolean positive(String number) {
        return !number.matches("[0.]+");
    }
}
