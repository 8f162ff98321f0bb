package io.ycsbdrill.client.session;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.key.UuidKeys;
import io.ycsbdrill.client.run.measure.RoutedMeasurements;
import io.ycsbdrill.workload.CountsRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

/**
 * Tells which table and key hold the n-th record of a workload. Asks the workload itself, by letting it insert into a
 * database that only remembers, so that it is right for workloads with key names of their own.
 */
public final class WorkloadKeys {
    /** Where one record is. */
    public record Key(String table, String key) {}

    private WorkloadKeys() {}

    /** The places of {@code count} records in a row, from record {@code first} on. */
    public static List<Key> of(Properties properties, long first, int count) {
        Properties asked = new Properties();
        asked.putAll(properties);
        asked.setProperty("recordcount", Long.toString(first + count));
        asked.setProperty("insertstart", Long.toString(first));
        asked.setProperty("insertcount", Integer.toString(count));
        asked.setProperty("operationcount", "1");
        // The distribution has no part in this, and some are slow to make for large tables.
        asked.setProperty("requestdistribution", "uniform");
        RoutedMeasurements.install();
        try {
            Class<?> type = Class.forName(
                    asked.getProperty("workload"), true, Thread.currentThread().getContextClassLoader());
            if (CountsRecords.class.isAssignableFrom(type)) {
                asked.remove("recordcount");
            }
            Workload workload =
                    type.asSubclass(Workload.class).getDeclaredConstructor().newInstance();
            workload.init(asked);
            Object state = workload.initThread(asked, 0, 1);
            Remembering database = new Remembering();
            DB seen = UuidKeys.over(database, asked);
            for (int i = 0; i < count; i++) {
                workload.doInsert(seen, state);
            }
            workload.cleanup();
            return List.copyOf(database.keys);
        } catch (ReflectiveOperationException | WorkloadException | RuntimeException e) {
            throw new ConfigException("workload " + asked.getProperty("workload") + " cannot be set up: " + e);
        } finally {
            RoutedMeasurements.uninstall();
        }
    }

    /**
     * The table that the first record is in when it is not that of the property {@code table}; empty when it is, and when the
     * workload cannot tell.
     */
    public static Optional<String> otherTable(Properties properties) {
        if (properties.getProperty("workload", "").equals(CoreWorkload.class.getName())) {
            return Optional.empty();
        }
        String named = properties.getProperty(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
        try {
            return of(properties, 0, 1).stream().map(Key::table).findFirst().filter(table -> !table.equals(named));
        } catch (ConfigException e) {
            return Optional.empty(); // said where the workload is checked
        }
    }

    private static final class Remembering extends DB {
        private final List<Key> keys = new ArrayList<>();

        @Override
        public Status insert(String table, String key, Map<String, ByteIterator> values) {
            keys.add(new Key(table, key));
            return Status.OK;
        }

        @Override
        public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
            return Status.NOT_FOUND;
        }

        @Override
        public Status scan(
                String table,
                String start,
                int count,
                Set<String> fields,
                Vector<HashMap<String, ByteIterator>> result) {
            return Status.NOT_FOUND;
        }

        @Override
        public Status update(String table, String key, Map<String, ByteIterator> values) {
            return Status.NOT_FOUND;
        }

        @Override
        public Status delete(String table, String key) {
            return Status.NOT_FOUND;
        }
    }
}
