package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.ledger.AuditDb;
import io.ycsbdrill.client.audit.ledger.Ledger;
import io.ycsbdrill.client.audit.ledger.Stamp;
import io.ycsbdrill.client.audit.ledger.Stripe;
import io.ycsbdrill.client.audit.ledger.WriteId;
import io.ycsbdrill.client.audit.ledger.Writer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import site.ycsb.DB;
import site.ycsb.workloads.CoreWorkload;

/**
 * The audit of one run: {@link #around} notes every write, {@link #readBack} says afterwards which of them the database has. Thread-safe
 * while the run goes on; {@link #readBack} is called once, when its client threads have ended or were given up.
 */
public final class Audit {
    private static final int MOST_READERS = 16;
    private static final long PAUSE_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 120_000;

    private final String table;
    private final Ledger ledger;
    private final long run = new SecureRandom().nextLong() >>> 1;
    private final Map<Integer, Writer> writers = new TreeMap<>();

    private Audit(String table, List<String> rowFields, long limitBytes) {
        this.table = table;
        ledger = new Ledger(rowFields, limitBytes);
    }

    /**
     * For a run with these properties; see {@link AuditCheck} for what they must be.
     *
     * @param core whether the workload is YCSB's CoreWorkload, so that it is known which fields a row has
     * @param limitBytes how much the ledger may take; keys that do not fit are not audited, and counted
     */
    public static Audit of(Properties properties, boolean core, long limitBytes) {
        String prefix = properties.getProperty(CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT);
        int count = Integer.parseInt(
                properties.getProperty(CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT));
        return new Audit(
                properties.getProperty(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT),
                core ? IntStream.range(0, count).mapToObj(i -> prefix + i).toList() : List.of(),
                limitBytes);
    }

    /** The binding of a client thread, from now on audited; each thread has its own number, and calls {@link AuditDb#between}. */
    public AuditDb around(DB db, int number) {
        synchronized (writers) {
            Writer writer = new Writer(number, ledger);
            writers.put(number, writer);
            return new AuditDb(db, writer, new Stamp(run), table);
        }
    }

    /**
     * Reads every touched key back and judges it; then reads it on each node by itself where the binding can. Calls that hang are
     * unknown from now on.
     *
     * @param databases makes a connected binding for each reading thread; cleaned up in the end
     * @param originNanos zero of the times in the result, as {@link System#nanoTime}
     * @param cancelled ends it early; what was not read is then unreadable
     * @param say notified of the progress
     * @return {@code audit.json}
     */
    public ObjectNode readBack(
            Databases databases, int threads, long originNanos, BooleanSupplier cancelled, Consumer<String> say)
            throws InterruptedException {
        return readBack(
                databases,
                originNanos,
                new ReadOptions(Math.min(threads, MOST_READERS), PAUSE_MILLIS, PATIENCE_MILLIS, cancelled, say));
    }

    ObjectNode readBack(Databases databases, long originNanos, ReadOptions options) throws InterruptedException {
        synchronized (writers) {
            writers.values().forEach(Writer::close);
        }
        KeyJudge judge = new KeyJudge(ledger.fields(), ledger.rowFields(), this::mayExist);
        long start = System.nanoTime();
        List<Stripe> stripes = ledger.stripes();
        ReadBack readBack = new ReadBack(stripes, judge, databases, table, run, options);
        Tally tally = readBack.execute();
        AuditJson json = new AuditJson(ledger, tally, readBack, originNanos);
        ObjectNode audit = json.of(counts(), start, System.nanoTime(), options.threads());
        long startOfNodes = System.nanoTime();
        Replicas replicas = new Replicas(stripes, judge, databases, table, run, options);
        ReplicaTally compared = replicas.execute();
        audit.set("replicas", new ReplicaJson(replicas, compared, json).of(startOfNodes, System.nanoTime()));
        return audit;
    }

    Ledger ledger() {
        return ledger;
    }

    private boolean mayExist(long id) {
        return writer(WriteId.writer(id))
                .map(writer -> writer.mayExist(WriteId.sequence(id)))
                .orElse(false);
    }

    private Optional<Writer> writer(int number) {
        synchronized (writers) {
            return Optional.ofNullable(writers.get(number));
        }
    }

    private long[] counts() {
        synchronized (writers) {
            long[] counts = new long[Outcome.values().length];
            for (Outcome outcome : Outcome.values()) {
                counts[outcome.ordinal()] = writers.values().stream()
                        .mapToLong(w -> w.count(outcome))
                        .sum();
            }
            return counts;
        }
    }
}
