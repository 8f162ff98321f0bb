package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.audit.journal.AuditDb;
import io.ycsbdrill.client.audit.journal.JournalWriter;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import site.ycsb.DB;
import site.ycsb.workloads.CoreWorkload;

/**
 * The audit of one run: {@link #around} notes every write in a journal, {@link #readBack} says afterwards which of them the database has. Thread-safe
 * while the run goes on; {@link #readBack} is called once, when its client threads have ended or were given up.
 */
public final class Audit {
    /** Where a run's journals are, below its directory. */
    public static final String DIRECTORY = "journal";

    private static final int MOST_READERS = 16;
    private static final long PAUSE_MILLIS = 500;
    private static final long TIMEOUT_MILLIS = 120_000;

    private final String table;
    private final List<String> rowFields;
    private final Path directory;
    private final long run = new SecureRandom().nextLong() >>> 1;
    private final List<JournalWriter> journals = new ArrayList<>();

    private Audit(String table, List<String> rowFields, Path directory) {
        this.table = table;
        this.rowFields = rowFields;
        this.directory = directory;
    }

    /**
     * For a run with these properties; see {@link AuditCheck} for what they must be.
     *
     * @param core whether the workload is YCSB's CoreWorkload, so that it is known which fields a row has
     * @param runDirectory the journals go into a directory of it that is made
     * @throws UncheckedIOException when that cannot be made
     */
    public static Audit of(Properties properties, boolean core, Path runDirectory) {
        Path directory = runDirectory.resolve(DIRECTORY);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("--audit: " + directory + " cannot be made: " + FileReason.of(e), e);
        }
        return new Audit(
                properties.getProperty(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT),
                core ? rowFields(properties) : List.of(),
                directory);
    }

    private static List<String> rowFields(Properties properties) {
        String prefix = properties.getProperty(CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT);
        int count = Integer.parseInt(
                properties.getProperty(CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT));
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    /** The binding of a client thread, from now on audited; each thread has its own number, and calls {@link AuditDb#between}. */
    public AuditDb around(DB db, int number) {
        JournalWriter journal = new JournalWriter(directory.resolve(number + ".journal"), number, run, rowFields);
        synchronized (journals) {
            journals.add(journal);
        }
        return new AuditDb(db, journal, new Stamp(run), table);
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
     * @throws UncheckedIOException when a journal cannot be read
     */
    public ObjectNode readBack(
            Databases databases, int threads, long originNanos, BooleanSupplier cancelled, Consumer<String> say)
            throws InterruptedException {
        return readBack(
                databases,
                originNanos,
                new ReadOptions(Math.min(threads, MOST_READERS), PAUSE_MILLIS, TIMEOUT_MILLIS, cancelled, say));
    }

    ObjectNode readBack(Databases databases, long originNanos, ReadOptions options) throws InterruptedException {
        synchronized (journals) {
            journals.forEach(JournalWriter::close);
        }
        WriteHistory history = new WriteHistory(files(directory), rowFields);
        KeyJudge judge = new KeyJudge(history.fields(), rowFields, history::mayExist);
        long start = System.nanoTime();
        ReadBack readBack = new ReadBack(history, judge, databases, table, options);
        Tally tally = readBack.execute();
        AuditJson json = new AuditJson(history, tally, readBack, originNanos);
        ObjectNode audit = json.of(start, System.nanoTime(), options.threads());
        long startOfNodes = System.nanoTime();
        Replicas replicas = new Replicas(history, judge, databases, table, options);
        ReplicaTally compared = replicas.execute();
        audit.set("replicas", new ReplicaJson(replicas, compared, json).of(startOfNodes, System.nanoTime()));
        return audit;
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("audit: " + directory + " cannot be read: " + FileReason.of(e), e);
        }
    }
}
