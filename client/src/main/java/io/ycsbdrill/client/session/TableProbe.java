package io.ycsbdrill.client.session;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.workload.ChecksData;
import java.util.HashMap;
import java.util.Optional;
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

    /**
     * Asks the binding what it can say without a server.
     *
     * @param reads whether rows are to be read or changed, not only inserted
     * @param here whether the client runs in this process
     * @throws ConfigException when its properties are wrong, or when it cannot do that with them
     */
    public static void check(String bindingClass, Properties properties, boolean reads, boolean here) {
        DB made = make(bindingClass, properties);
        if (BindingProperties.expire(properties) && !(made instanceof ChecksProperties)) {
            throw new ConfigException(BindingProperties.TIME_TO_LIVE + " is set, and " + bindingClass
                    + " does not say whether it heeds it; leave it out");
        }
        if (made instanceof ChecksProperties binding) {
            try {
                binding.checkProperties();
                if (here) {
                    binding.checkInstallation();
                }
                Optional<String> limit = reads ? binding.insertsOnly() : Optional.empty();
                if (limit.isPresent()) {
                    throw new ConfigException("a run or an audit needs more than inserts: " + limit.get());
                }
            } catch (DBException e) {
                throw new ConfigException(e.getMessage());
            }
        }
    }

    /** A new object of the workload, if it can check its data; not initialised. */
    static Optional<ChecksData> checking(Properties properties) {
        try {
            Class<?> type = Class.forName(
                    properties.getProperty("workload", ""),
                    true,
                    Thread.currentThread().getContextClassLoader());
            return ChecksData.class.isAssignableFrom(type)
                    ? Optional.of((ChecksData) type.getDeclaredConstructor().newInstance())
                    : Optional.empty();
        } catch (ReflectiveOperationException | LinkageError e) {
            return Optional.empty(); // WorkloadCheck reports it.
        }
    }

    /** Why the workload cannot run on this database; empty when it can. */
    Optional<String> refusal(ChecksData workload) {
        return workload.refusal(properties, database);
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
