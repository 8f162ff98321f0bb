package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's own workloads A to F on a binding, with every value read compared with what must be there. */
public final class StockWorkload {
    /** Shares of read, update, insert, scan, read-modify-write. */
    private static final Map<String, String> SHARES = Map.of(
            "a", "0.5,0.5,0,0,0",
            "b", "0.95,0.05,0,0,0",
            "c", "1,0,0,0,0",
            "d", "0.95,0,0.05,0,0",
            "e", "0,0,0.05,0.95,0",
            "f", "0.5,0,0,0,0.5");

    private static final Pattern VERIFIED = Pattern.compile("\\[VERIFY\\], Return=(\\w+), (\\d+)");

    /** Makes a binding that is initialised. */
    public interface Opening {
        DB open(Properties properties) throws DBException;
    }

    private StockWorkload() {}

    /**
     * Loads the records, runs the operations, all on this thread, and demands that every status was OK, every value right,
     * and in every scan a row or more with all fields.
     *
     * @param letter a to f
     * @param properties of the binding, with a table that is empty; the workload's are added
     */
    public static void readsBackWhatItWrote(
            String letter, int records, int operations, Properties properties, Opening opening)
            throws DBException, WorkloadException, IOException {
        String[] shares = SHARES.get(letter).split(",");
        String[] names = {"read", "update", "insert", "scan", "readmodifywrite"};
        for (int i = 0; i < names.length; i++) {
            properties.setProperty(names[i] + "proportion", shares[i]);
        }
        properties.setProperty("dataintegrity", "true");
        properties.setProperty("fieldlengthdistribution", "constant");
        properties.setProperty("recordcount", Integer.toString(records));
        properties.setProperty("operationcount", Integer.toString(operations));
        properties.setProperty("measurementtype", "hdrhistogram");
        Measurements.setProperties(properties);
        Map<String, Long> before = verified();
        Workload workload = new CoreWorkload();
        workload.init(properties);
        CountingDb db = new CountingDb(opening.open(properties));
        try {
            Object state = workload.initThread(properties, 0, 1);
            for (int i = 0; i < records; i++) {
                assertThat(workload.doInsert(db, state)).isTrue();
            }
            for (int i = 0; i < operations; i++) {
                assertThat(workload.doTransaction(db, state)).isTrue();
            }
        } finally {
            db.cleanup();
        }
        assertThat(db.failures)
                .as("statuses that are not OK, scans without their rows")
                .isEmpty();
        Map<String, Long> after = verified();
        after.replaceAll((status, count) -> count - before.getOrDefault(status, 0L));
        after.values().removeIf(count -> count == 0);
        // YCSB verifies rows that it reads one by one; E only scans.
        assertThat(after.keySet())
                .as("verified rows: %s", after)
                .isEqualTo(letter.equals("e") ? Set.of() : Set.of("OK"));
    }

    /** What YCSB found when it compared rows, by status; in all workloads of this process so far. */
    private static Map<String, Long> verified() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (MeasurementsExporter exporter = new TextMeasurementsExporter(text)) {
            Measurements.getMeasurements().exportMeasurements(exporter);
        }
        Map<String, Long> counts = new TreeMap<>();
        Matcher line = VERIFIED.matcher(text.toString(StandardCharsets.UTF_8));
        while (line.find()) {
            counts.put(line.group(1), Long.parseLong(line.group(2)));
        }
        return counts;
    }
}
