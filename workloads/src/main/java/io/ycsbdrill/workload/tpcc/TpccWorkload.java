package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.workload.ChecksData;
import io.ycsbdrill.workload.Consistency;
import io.ycsbdrill.workload.CountsRecords;
import io.ycsbdrill.workload.WholeOperations;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/**
 * A TPC-C-like workload on keys and values: the tables and the five transactions of the public specification (revision 5.11), mixed
 * 45/43/4/4/4, without terminals and think times. It is no TPC benchmark, and its results cannot be compared with published ones. With
 * {@code tpcc.mode} the same calls are made without transactions, in transactions of the engine, or in two-phase commits of the client;
 * {@code docs/tpcc.md} describes them. Thread-safe, as YCSB asks of a workload.
 */
public final class TpccWorkload extends Workload implements ChecksData, CountsRecords {
    /** How long a step of a two-phase commit is tried again whose result is unknown. */
    private static final long PATIENCE_NANOS = 3_000_000_000L;

    private TpccSettings settings;
    private InitialRows rows;
    private Ledger ledger;
    private DataCheck check;
    private AtomicLong nextRecord;

    /** What a client thread keeps. */
    private record State(Inputs inputs, TwoPhaseUnit.Met met, SplittableRandom pauses) {}

    @Override
    public void init(Properties properties) throws WorkloadException {
        settings = TpccSettings.of(properties);
        rows = new InitialRows(settings.scale());
        ledger = new Ledger(settings.scale());
        check = new DataCheck(settings, ledger, PATIENCE_NANOS);
        nextRecord = new AtomicLong(settings.firstRecord());
    }

    @Override
    public Object initThread(Properties properties, int thread, int threads) {
        long seed = Draw.mix(settings.seed() + thread);
        return new State(
                new Inputs(settings.scale(), seed),
                new TwoPhaseUnit.Met(settings.lease().toNanos()),
                new SplittableRandom(seed));
    }

    @Override
    public long records(Properties properties) throws WorkloadException {
        return new InitialRows(TpccSettings.of(properties).scale()).count();
    }

    @Override
    public boolean doInsert(DB db, Object state) {
        long number = nextRecord.getAndIncrement();
        if (number >= rows.count()) {
            return false;
        }
        InitialRows.Loaded loaded = rows.row(number);
        return db.insert(settings.table(), loaded.key(), Values.of(loaded.row().text(), Values.INTENT, ""))
                .isOk();
    }

    @Override
    public boolean doTransaction(DB db, Object state) {
        State thread = (State) state;
        Business business = business(thread.inputs());
        if (db instanceof WholeOperations client) {
            client.whole(business.name(), binding -> run(binding, business, thread));
        } else {
            long start = System.nanoTime();
            Status status = run(db, business, thread);
            report(business.name(), System.nanoTime() - start, status);
        }
        return true;
    }

    private Business business(Inputs inputs) {
        int choice = inputs.draw().number(1, 100);
        boolean plain = settings.mode() == Mode.NONE;
        if (choice <= 45) {
            return new NewOrder(inputs, plain);
        }
        if (choice <= 88) {
            return new Payment(inputs);
        }
        if (choice <= 92) {
            return new OrderStatus(inputs);
        }
        return choice <= 96 ? new Delivery(inputs, plain) : new StockLevel(inputs);
    }

    /** Makes attempts until one succeeds, fails for good, or has an unknown result. */
    private Status run(DB db, Business business, State thread) {
        for (int repeated = 0; ; repeated++) {
            long start = System.nanoTime();
            Status status = attempt(unit(db, thread.met()), business);
            Outcome outcome = Outcome.of(status, true);
            if (outcome == Outcome.OK) {
                business.enter(ledger, true);
                return Status.OK;
            }
            if (status == ROLLED_BACK) {
                report(business.name() + "-ROLLED-BACK", System.nanoTime() - start, Status.OK);
                return Status.OK;
            }
            if (outcome == Outcome.UNKNOWN) {
                if (!business.writes()) {
                    return Statuses.FAILED;
                }
                business.enter(ledger, false);
                return status;
            }
            boolean again = settings.mode() != Mode.NONE
                    && repeated < settings.retries().most()
                    && Retries.mayHelp(status, false);
            if (settings.mode() != Mode.NONE) {
                report(business.name() + "-ABORTED", System.nanoTime() - start, status);
            }
            if (!again || !settings.retries().await(repeated, this::isStopRequested, thread.pauses())) {
                return status;
            }
        }
    }

    /** As intended by the business. */
    private static final Status ROLLED_BACK = new Status("ROLLED_BACK", "Rolled back as intended.");

    private static Status attempt(Unit unit, Business business) {
        try {
            if (business.attempt(unit) == Business.End.COMMIT) {
                return unit.commit();
            }
            unit.abort();
            return ROLLED_BACK;
        } catch (Ended e) {
            unit.abort();
            return e.status();
        }
    }

    private Unit unit(DB db, TwoPhaseUnit.Met met) {
        if (settings.mode() == Mode.NONE) {
            return new PlainUnit(db, settings.table());
        }
        if (!(db instanceof Transactions)) {
            throw new IllegalStateException(noTransactions(db));
        }
        return settings.mode() == Mode.TX
                ? new TransactionUnit(db, settings.table())
                : new TwoPhaseUnit(db, settings.table(), PATIENCE_NANOS, met);
    }

    private static void report(String operation, long nanos, Status status) {
        Measurements measurements = Measurements.getMeasurements();
        measurements.measure(operation, (int) Math.min(Integer.MAX_VALUE, nanos / 1000));
        measurements.reportStatus(operation, status);
    }

    @Override
    public Optional<String> refusal(Properties properties, DB binding) {
        try {
            init(properties);
        } catch (WorkloadException e) {
            return Optional.of(e.getMessage());
        }
        if (settings.mode() == Mode.NONE) {
            return Optional.empty();
        }
        if (!(binding instanceof Transactions transactions)) {
            return Optional.of(noTransactions(binding));
        }
        Status begun = transactions.begin(settings.table(), Tables.warehouse(1));
        transactions.abort();
        return Status.NOT_IMPLEMENTED.equals(begun)
                ? Optional.of("tpcc.mode=" + settings.mode().label() + ": " + begun.getDescription()
                        + "; tpcc.mode=none needs none")
                : Optional.empty();
    }

    Ledger ledger() {
        return ledger;
    }

    private String noTransactions(DB binding) {
        return "tpcc.mode=" + settings.mode().label() + " needs transactions, and "
                + binding.getClass().getSimpleName()
                + " has none; use a binding that has (native, jdbc), or tpcc.mode=none";
    }

    @Override
    public boolean isChecked(Properties properties) {
        return !"false"
                .equalsIgnoreCase(properties.getProperty("tpcc.check", "true").strip());
    }

    @Override
    public void before(Databases databases) throws Exception {
        check.before(databases);
    }

    @Override
    public Consistency after(Databases databases, BooleanSupplier cancelled) throws InterruptedException {
        return check.after(databases, cancelled);
    }
}
