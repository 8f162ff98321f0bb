package io.ycsbdrill.client.session;

import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.client.ConfigException;
import java.util.HashMap;
import java.util.Properties;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Looks into the database before a run: one connection, a few reads. For one thread. */
public final class TableProbe implements AutoCloseable {
    /** Whether a record is there. */
    public enum Record {
        PRESENT,
        ABSENT,
        /** The database did not give a clear answer. */
        UNCLEAR
    }

    private final Properties properties;
    private final DB database;

    /** @throws DBException when the database cannot be reached */
    public TableProbe(String bindingClass, Properties properties) throws DBException {
        this.properties = properties;
        this.database = open(bindingClass, properties);
    }

    /** @throws ConfigException when the binding can say, without a server, that its properties are wrong */
    public static void check(String bindingClass, Properties properties) {
        if (make(bindingClass, properties) instanceof ChecksProperties binding) {
            try {
                binding.checkProperties();
            } catch (DBException e) {
                throw new ConfigException(e.getMessage());
            }
        }
    }

    /** A connected instance of the binding; the caller cleans it up. */
    public static DB open(String bindingClass, Properties properties) throws DBException {
        DB database = make(bindingClass, properties);
        database.init();
        return database;
    }

    private static DB make(String bindingClass, Properties properties) {
        DB database;
        try {
            database = Class.forName(bindingClass, true, Thread.currentThread().getContextClassLoader())
                    .asSubclass(DB.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ConfigException("binding class " + bindingClass + " cannot be made: " + e);
        }
        database.setProperties(properties);
        return database;
    }

    /** Whether the workload's record of that number is in its table. */
    public Record record(long number) {
        return record(WorkloadKeys.of(properties, number, 1).get(0));
    }

    public Record record(WorkloadKeys.Key key) {
        Status status = database.read(key.table(), key.key(), null, new HashMap<>());
        if (status != null && status.isOk()) {
            return Record.PRESENT;
        }
        return Status.NOT_FOUND.equals(status) ? Record.ABSENT : Record.UNCLEAR;
    }

    @Override
    public void close() throws DBException {
        database.cleanup();
    }
}
