package io.ycsbdrill.client.run;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.call.LoadingDb;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.key.DeletingWorkload;
import io.ycsbdrill.client.run.key.InsertedKeys;
import io.ycsbdrill.client.run.key.KeyRange;
import io.ycsbdrill.client.run.key.KeySequence;
import io.ycsbdrill.client.run.key.LoadLedger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.Workload;
import site.ycsb.workloads.ConstantOccupancyWorkload;
import site.ycsb.workloads.CoreWorkload;

/**
 * The workload, initialised, and what it and the bindings are given.
 *
 * @param properties shared by the workload and all bindings, as in stock YCSB; {@code operationcount} is what an int can hold
 * @param operations how many transactions in all; {@link Long#MAX_VALUE} = no limit
 * @param ledger of a load; empty in a run
 * @param loading how records are inserted, in a load
 * @param retry how operations are tried again, in a run
 * @param timeout how long a call of a run may take before it is abandoned; empty = no bound
 * @param firstThread see {@link BindingFactory#firstThread()}
 */
record WorkloadSetup(
        Workload workload,
        Properties properties,
        long operations,
        Optional<LoadLedger> ledger,
        LoadingDb.Policy loading,
        RetryPolicy retry,
        Optional<Duration> timeout,
        int firstThread)
        implements BindingFactory {

    private static final String RETRIES = CoreWorkload.INSERTION_RETRY_LIMIT;

    /** @throws ConfigException when the workload refuses its properties */
    static WorkloadSetup of(RunSpec spec) {
        Properties properties = new Properties();
        spec.properties()
                .stringPropertyNames()
                .forEach(name -> properties.setProperty(name, spec.properties().getProperty(name)));
        properties.setProperty(Client.DO_TRANSACTIONS_PROPERTY, String.valueOf(spec.mode() == RunSpec.Mode.RUN));
        int retries = spec.insertRetries();
        int batch = 1;
        if (spec.mode() == RunSpec.Mode.LOAD) {
            // CoreWorkload would try again with values that the first attempt has used up, so the loop does it.
            retries = Math.max(retries, Integer.parseInt(properties.getProperty(RETRIES, "0")));
            properties.setProperty(RETRIES, "0");
            batch = Math.max(1, Integer.parseInt(properties.getProperty(SpecCheck.BATCH_SIZE, "1")));
        }
        String counted = operationCount(spec);
        if (counted != null) {
            properties.setProperty(Client.OPERATION_COUNT_PROPERTY, counted);
        }
        Workload workload;
        try {
            Class<?> type = Class.forName(SpecCheck.workloadClass(properties));
            workload = type == CoreWorkload.class && DeletingWorkload.isAskedFor(properties)
                    ? new DeletingWorkload()
                    : type.asSubclass(Workload.class).getConstructor().newInstance();
            workload.init(properties);
        } catch (Exception | LinkageError e) {
            throw new ConfigException(
                    "workload " + SpecCheck.workloadClass(properties) + " refused its properties: " + Reasons.of(e));
        }
        if (spec.mode() == RunSpec.Mode.LOAD) {
            LoadLedger ledger = ledger(spec, properties, workload);
            return new WorkloadSetup(
                    workload,
                    properties,
                    Long.MAX_VALUE,
                    Optional.of(ledger),
                    new LoadingDb.Policy(retries, batch),
                    SpecCheck.retry(spec),
                    Optional.empty(),
                    firstThread(spec));
        }
        InsertedKeys.replace(workload, spec.part(), spec.seed());
        String after = properties.getProperty(Client.OPERATION_COUNT_PROPERTY);
        // A workload may set its own count, as ConstantOccupancyWorkload does.
        long operations = Objects.equals(after, counted) ? spec.operations() : Long.parseLong(after);
        return new WorkloadSetup(
                workload,
                properties,
                operations == 0 ? Long.MAX_VALUE : operations,
                Optional.empty(),
                new LoadingDb.Policy(0, 1),
                SpecCheck.retry(spec),
                SpecCheck.timeout(spec),
                firstThread(spec));
    }

    /** Clients have equally many threads. */
    private static int firstThread(RunSpec spec) {
        return (spec.part().number() - 1) * spec.threads();
    }

    /**
     * CoreWorkload reads its own operation count as an int, and uses it only to foresee how many keys will be inserted: twice the
     * expected number on top of the existing ones, which must stay within an int too. Our loop counts in a long.
     */
    static String operationCount(RunSpec spec) {
        Properties properties = spec.properties();
        if (SpecCheck.workloadClass(properties).equals(ConstantOccupancyWorkload.class.getName())) {
            return properties.getProperty(Client.OPERATION_COUNT_PROPERTY);
        }
        long most = Integer.MAX_VALUE;
        double inserts = SpecCheck.isCore(properties)
                ? Double.parseDouble(properties.getProperty(CoreWorkload.INSERT_PROPORTION_PROPERTY, "0"))
                : 0;
        if (inserts > 0) {
            long records = Long.parseLong(properties.getProperty(Client.RECORD_COUNT_PROPERTY, "0"));
            most = Math.min(most, (long) Math.max(0, (most - records) / (2 * inserts)));
        }
        return String.valueOf(Math.min(spec.operations(), most));
    }

    private static LoadLedger ledger(RunSpec spec, Properties properties, Workload workload) {
        String listed = properties.getProperty(KeyRange.PROPERTY);
        if (listed != null) {
            return listed(listed, workload);
        }
        long start = Long.parseLong(properties.getProperty(Workload.INSERT_START_PROPERTY, "0"));
        long records = Long.parseLong(properties.getProperty(Client.RECORD_COUNT_PROPERTY, "0"));
        String given = properties.getProperty(Workload.INSERT_COUNT_PROPERTY);
        long count =
                given != null ? Long.parseLong(given) : spec.operations() > 0 ? spec.operations() : records - start;
        if (count <= 0) {
            throw new ConfigException("nothing to load: insertcount = " + count + " (recordcount = " + records
                    + ", insertstart = " + start + "); at least 1 expected");
        }
        return new LoadLedger(start, count, KeySequence.replace(workload));
    }

    private static LoadLedger listed(String ranges, Workload workload) {
        try {
            LoadLedger ledger = new LoadLedger(KeyRange.parse(ranges), KeySequence.replace(workload));
            if (ledger.numbered()) {
                return ledger;
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
        throw new ConfigException(KeyRange.PROPERTY + ": the workload "
                + workload.getClass().getName() + " does not number its keys, so parts of it cannot be loaded");
    }

    /** Transactions of one thread; the shares differ by at most one. */
    long share(int thread, int threads) {
        if (operations == Long.MAX_VALUE) {
            return operations;
        }
        return operations / threads + (thread < operations % threads ? 1 : 0);
    }

    @Override
    public DB make(String bindingClass) throws Exception {
        DB db = binding(bindingClass);
        db.setProperties(properties);
        return db;
    }

    /** A new instance without properties. */
    static DB binding(String bindingClass) throws ReflectiveOperationException {
        return Class.forName(bindingClass).asSubclass(DB.class).getConstructor().newInstance();
    }

    @Override
    public Object workloadState(int thread, int threads) throws Exception {
        return workload.initThread(properties, thread, threads);
    }
}
