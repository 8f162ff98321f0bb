package io.ycsbdrill.client.run.key;

import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * CoreWorkload with deletes: {@code deleteproportion} of the operations delete a record that {@code requestdistribution} chooses. A record
 * that was deleted may be chosen again, and is then not found. Thread-safe, as CoreWorkload is.
 */
public final class DeletingWorkload extends CoreWorkload {
    /** The share of deletes. */
    public static final String PROPERTY = "deleteproportion";

    private double deletes;

    public static boolean isAskedFor(Properties properties) {
        return share(properties, PROPERTY, "0") > 0;
    }

    private static double share(Properties properties, String key, String absent) {
        return Double.parseDouble(properties.getProperty(key, absent));
    }

    @Override
    public void init(Properties properties) throws WorkloadException {
        super.init(properties);
        double others = share(properties, READ_PROPORTION_PROPERTY, READ_PROPORTION_PROPERTY_DEFAULT)
                + share(properties, UPDATE_PROPORTION_PROPERTY, UPDATE_PROPORTION_PROPERTY_DEFAULT)
                + share(properties, INSERT_PROPORTION_PROPERTY, INSERT_PROPORTION_PROPERTY_DEFAULT)
                + share(properties, SCAN_PROPORTION_PROPERTY, SCAN_PROPORTION_PROPERTY_DEFAULT)
                + share(properties, READMODIFYWRITE_PROPORTION_PROPERTY, READMODIFYWRITE_PROPORTION_PROPERTY_DEFAULT);
        double asked = share(properties, PROPERTY, "0");
        deletes = asked / (asked + others);
    }

    @Override
    public boolean doTransaction(DB db, Object state) {
        if (ThreadLocalRandom.current().nextDouble() >= deletes) {
            return super.doTransaction(db, state);
        }
        db.delete(table, buildKeyName(chosen()));
        return true;
    }

    /** As CoreWorkload chooses the record of a read. */
    private long chosen() {
        long newest = transactioninsertkeysequence.lastValue();
        long record;
        do {
            record = keychooser.nextValue().longValue();
            if (keychooser instanceof ExponentialGenerator) {
                record = newest - record;
            }
        } while (record < 0 || record > newest);
        return record;
    }
}
