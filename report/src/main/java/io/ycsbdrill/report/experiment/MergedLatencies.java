package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.data.HistogramLines;
import io.ycsbdrill.rundir.Percentiles;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Latencies of variants over all their repeats: the histograms of the cells that count are added, and percentiles are those of the sum.
 * Never averages of percentiles. One variant's histograms are in memory at a time. Immutable.
 *
 * @param byVariant percentiles by {@code "operation measure"}, of each variant that has any; {@value #ALL} is all operations together
 * @param damaged variants that are left out, and why
 */
record MergedLatencies(Map<Integer, Map<String, Percentiles>> byVariant, Map<Integer, String> damaged) {
    /** All operations together, without those that consist of others. */
    static final String ALL = "ALL";

    static MergedLatencies of(ExperimentData data) {
        Map<Integer, Map<String, Percentiles>> byVariant = new LinkedHashMap<>();
        Map<Integer, String> damaged = new LinkedHashMap<>();
        for (PlanData.Variant variant : data.plan().variants()) {
            if (!data.counts(variant.number())) {
                continue;
            }
            try {
                byVariant.put(variant.number(), merged(data, variant.number()));
            } catch (IOException e) {
                damaged.put(variant.number(), e.getMessage());
            }
        }
        return new MergedLatencies(byVariant, damaged);
    }

    private static Map<String, Percentiles> merged(ExperimentData data, int variant) throws IOException {
        Map<String, Histogram> sums = new LinkedHashMap<>();
        Set<String> counted = new LinkedHashSet<>();
        for (CellRow row : data.cells(variant)) {
            if (!row.counts()) {
                continue;
            }
            Path file = CellRow.directory(data.directory(), row.cell())
                    .resolve("run")
                    .resolve(RunFile.TOTALS);
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is missing");
            }
            HistogramLines.add(file, sums);
            counted.addAll(CellFigures.counted(file.resolveSibling(RunFile.SUMMARY)));
        }
        Map<String, Percentiles> merged = new LinkedHashMap<>();
        for (String measure : new String[] {"service", "response"}) {
            Histogram all = null;
            for (String operation : counted) {
                Histogram one = sums.get(operation + " " + measure);
                if (one == null) {
                    continue;
                }
                if (all == null) {
                    all = one.copy();
                    all.setAutoResize(true);
                } else {
                    all.add(one);
                }
            }
            if (all != null) {
                merged.put(ALL + " " + measure, Percentiles.of(all));
            }
        }
        sums.forEach((key, histogram) -> merged.put(key, Percentiles.of(histogram)));
        return merged;
    }

    /** What users saw: response times where there was a rate, else service times. */
    Percentiles latency(int variant, String operation) {
        Map<String, Percentiles> all = byVariant.getOrDefault(variant, Map.of());
        return all.getOrDefault(operation + " response", all.getOrDefault(operation + " service", Percentiles.ABSENT));
    }
}
