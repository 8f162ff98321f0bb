package io.ycsbdrill.client.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import site.ycsb.workloads.CoreWorkload;

/** Properties that are known and have no effect here, or another one than their user may expect: each is said once, before the run. */
public final class IdleProperties {
    private static final String WINDOWS =
            "windows.csv and windows.jsonl of the run directory have the course of every run";
    private static final String RETURNS = "failed operations have figures of their own in every run";

    /** Why, by key. */
    private static final Map<String, String> IDLE = new TreeMap<>(Map.ofEntries(
            Map.entry("measurement.raw.output_file", "single latencies are not kept; " + WINDOWS),
            Map.entry("measurement.raw.no_summary", "there is always a summary"),
            Map.entry("measurement.histogram.verbose", "full histograms are in windows.jsonl of the run directory"),
            Map.entry(
                    "measurement.trackjvm",
                    "client.csv of the run directory has collections, stalls and processor time"),
            Map.entry("timeseries.granularity", WINDOWS + "; their length is --window"),
            Map.entry("histogram.buckets", "histograms have three digits, over the whole range"),
            Map.entry("reportlatencyforeacherror", RETURNS),
            Map.entry("latencytrackederrors", RETURNS),
            Map.entry(
                    "core_workload_insertion_retry_interval",
                    "inserts are tried again after 0.05 s, and twice as long each time, up to 3.2 s"),
            Map.entry("keylength", "CoreWorkload of YCSB 0.17 has no such property; zeropadding makes keys longer"),
            Map.entry("field_len_dist", "CoreWorkload calls it fieldlengthdistribution"),
            Map.entry("operations", "YCSB calls it operationcount")));

    private IdleProperties() {}

    /** A warning for each. */
    public static List<String> warnings(Properties properties) {
        List<String> warnings = new ArrayList<>();
        IDLE.forEach((key, why) -> {
            if (properties.containsKey(key) && !properties.getProperty(key).equals("false")) {
                warnings.add("warning: " + key + " has no effect: " + why);
            }
        });
        String type = properties.getProperty("measurementtype", "hdrhistogram");
        if (!type.equals("hdrhistogram")) {
            warnings.add(
                    "warning: measurementtype=" + type + " has no effect: the result is hdrhistogram's; " + WINDOWS);
        }
        proportions(properties, warnings);
        return warnings;
    }

    /** YCSB divides by their sum without a word. */
    private static void proportions(Properties properties, List<String> warnings) {
        if (!properties.getProperty("workload", "").equals(CoreWorkload.class.getName())) {
            return;
        }
        Map<String, Double> shares = Proportions.of(properties);
        double sum = shares.values().stream().mapToDouble(share -> share).sum();
        if (sum > 0 && Math.abs(sum - 1) > 0.001) {
            warnings.add("warning: " + String.join(" + ", shares.keySet()) + " = " + Math.round(sum * 1000) / 1000.0
                    + ", not 1: each is taken as its share of that sum");
        }
    }
}
