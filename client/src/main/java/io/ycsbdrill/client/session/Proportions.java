package io.ycsbdrill.client.session;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The mix of operations of CoreWorkload, with deletes, which only this client adds. */
final class Proportions {
    /** With what each is when it is not set. */
    private static final Map<String, Double> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("readproportion", 0.95);
        KNOWN.put("updateproportion", 0.05);
        KNOWN.put("insertproportion", 0.0);
        KNOWN.put("scanproportion", 0.0);
        KNOWN.put("readmodifywriteproportion", 0.0);
        KNOWN.put("deleteproportion", 0.0);
    }
    /** Those above 0; a value that is no number, which {@link #check} reports, counts as 0. */
    static Map<String, Double> of(Properties properties) {
        Map<String, Double> shares = new LinkedHashMap<>();
        PropertyReader read = new PropertyReader(properties, new Problems());
        KNOWN.forEach((key, absent) -> {
            double share = read.number(key, absent, 0, 1);
            if (share > 0) {
                shares.put(key, share);
            }
        });
        return shares;
    }

    /**
     * Reports values that are wrong, and every other proportion, which would be left out of the mix.
     *
     * @param exactly whether the workload is CoreWorkload itself: one that extends it may have more
     */
    static void check(Properties properties, boolean exactly, boolean run, Problems problems) {
        PropertyReader read = new PropertyReader(properties, problems);
        double sum = 0;
        for (Map.Entry<String, Double> each : KNOWN.entrySet()) {
            sum += read.number(each.getKey(), each.getValue(), 0, 1);
        }
        List<String> unknown = new ArrayList<>(properties.stringPropertyNames().stream()
                .filter(key -> key.endsWith("proportion") && !KNOWN.containsKey(key))
                .filter(key -> !properties.getProperty(key).matches("0*\\.?0*"))
                .sorted()
                .toList());
        if (!exactly || !run) {
            unknown.clear();
        }
        unknown.forEach(key -> problems.add(key + "=" + properties.getProperty(key) + " is no operation of CoreWorkload"
                + NearestName.hint(key, KNOWN.keySet()) + "; without it the mix would be another one. It has "
                + String.join(", ", KNOWN.keySet())));
        if (run && sum == 0 && unknown.isEmpty()) {
            problems.add("all of " + String.join(", ", KNOWN.keySet()) + " are 0: the workload does nothing");
        }
        if (exactly && run && !properties.getProperty("tracefile", "").isBlank()) {
            problems.add("tracefile=" + properties.getProperty("tracefile")
                    + ": CoreWorkload replays no trace; leave it out, and keys are chosen by requestdistribution");
        }
    }
}
