package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
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

    /** Makes a binding that is initialised. */
    public interface Opening {
        DB open(Properties properties) throws DBException;
    }

    private StockWorkload() {}

    /**
     * Loads the records, runs the operations, all on this thread, and demands that every status was OK and every value right.
     *
     * @param letter a to f
     * @param properties of the binding, with a table that is empty; the workload's are added
     */
    public static void readsBackWhatItWrote(
            String letter, int records, int operations, Properties properties, Opening opening)
            throws DBException, WorkloadException {
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
        assertThat(db.failures).as("statuses that are not OK").isEmpty();
        assertThat(Measurements.getMeasurements().getSummary()).doesNotContain("UNEXPECTED_STATE");
    }
}
