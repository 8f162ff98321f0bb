package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.journal.AuditDb;
import io.ycsbdrill.client.audit.journal.HistoryExport;
import io.ycsbdrill.client.audit.journal.JournalWriter;
import io.ycsbdrill.client.audit.journal.Rollback;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
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
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.workloads.CoreWorkload;

/**
 * The audit of one run: {@link #around} notes every write in a journal, {@link #readBack} says afterwards which of them the database has. Thread-safe
 * while the run goes on; {@link #readBack} is called once, when its client threads have ended or were given up.
 */
public final class Audit {
    private static final String DIRECTORY = "journal";

    private static final String SUFFIX = ".journal";
    /** {@code client-2/journal/7.journal}. */
    private static final int DEPTH = 3;

    private static final int MOST_READERS = 16;
    /** Writes are applied in about the order in which they were made, so the last ones tell when all are. */
    private static final int NEWEST = 100;

    private static final long PAUSE_MILLIS = 500;
    private static final long TIMEOUT_MILLIS = 120_000;

    private final String table;
    private final List<String> rowFields;
    private final Path runDirectory;
    private final Load load;
    private final List<JournalWriter> journals = new ArrayList<>();

    private Audit(Properties properties, boolean core, Path runDirectory, Load load) {
        this.load = load;
        table = properties.getProperty(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
        rowFields = core ? rowFields(properties) : List.of();
        this.runDirectory = runDirectory;
    }

    /**
     * For a run with these properties; see {@link AuditCheck} for what they must be.
     *
     * @param core whether the workload is YCSB's CoreWorkload, so that it is known which fields a row has
     * @param runDirectory holds the journals, or will, in directories of their own: of one client, or of several in its directories
     * @param load what was there before the run
     */
    public static Audit of(Properties properties, boolean core, Path runDirectory, Load load) {
        return new Audit(properties, core, runDirectory, load);
    }

    /**
     * Writes what the clients of a run did, see {@link HistoryExport}.
     *
     * @return how many operations that is
     * @throws ConfigException when it is not YCSB's CoreWorkload, so that it is not known which fields a row has
     */
    public static int history(Properties properties, Path runDirectory) {
        String workload = properties.getProperty(Client.WORKLOAD_PROPERTY, "");
        if (!workload.endsWith("CoreWorkload")) {
            throw new ConfigException("--history: the workload " + workload
                    + " is not YCSB's CoreWorkload, so it is not known which fields a row has");
        }
        return new HistoryExport(journals(runDirectory), rowFields(properties)).write(runDirectory);
    }

    /** A number for {@link #around}, hardly ever the same. */
    public static long newRun() {
        return new SecureRandom().nextLong() >>> 1;
    }

    private static List<String> rowFields(Properties properties) {
        String prefix = properties.getProperty(CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT);
        int count = Integer.parseInt(
                properties.getProperty(CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT));
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    /**
     * The binding of a client thread, from now on audited; the thread calls {@link AuditDb#between}.
     *
     * @param run marks the values of all clients of this run
     * @param number of the thread among those of all clients
     * @throws UncheckedIOException when its journal cannot be written
     */
    public AuditDb around(DB db, long run, int number) {
        Path directory = runDirectory.resolve(DIRECTORY);
        JournalWriter journal;
        synchronized (journals) {
            Io.run("--audit: " + directory + " cannot be made", () -> Files.createDirectories(directory));
            journals.removeIf(JournalWriter::isClosed);
            journal = new JournalWriter(directory.resolve(number + SUFFIX), number, run, rowFields);
            journals.add(journal);
        }
        return new AuditDb(db, journal, new Stamp(run), table);
    }

    /**
     * Nothing more is recorded: calls that hang are unknown from now on. Gives the disk back what the journals have not used.
     *
     * @throws UncheckedIOException when a journal cannot be closed
     */
    public void close() {
        synchronized (journals) {
            journals.forEach(JournalWriter::close);
        }
    }

    /**
     * Reads every touched key back, and rows of the load that were not touched, and judges them; then reads it on each node by itself where the binding can. Calls that hang are
     * unknown from now on, see {@link #close}.
     *
     * @param databases makes a connected binding for each reading thread; cleaned up in the end
     * @param originNanos zero of the times in the result, as {@link System#nanoTime} where the journals were written
     * @param atOnce whether the run has only just ended, so that it can be seen how soon its copies become equal
     * @param cancelled ends it early; what was not read is then unreadable
     * @param say notified of the progress
     * @return {@code audit.json}
     * @throws UncheckedIOException when a journal cannot be read
     */
    public ObjectNode readBack(
            Databases databases,
            int threads,
            ToLongFunction<WriteHistory> originNanos,
            boolean atOnce,
            BooleanSupplier cancelled,
            Consumer<String> say)
            throws InterruptedException {
        return readBack(
                databases,
                originNanos,
                new ReadOptions(Math.min(threads, MOST_READERS), PAUSE_MILLIS, TIMEOUT_MILLIS, cancelled, say),
                atOnce ? NEWEST : 0);
    }

    ObjectNode readBack(Databases databases, ToLongFunction<WriteHistory> originNanos, ReadOptions options)
            throws InterruptedException {
        return readBack(databases, originNanos, options, 0);
    }

    /** @param newest how many of the keys that were written last tell when all copies were equal */
    ObjectNode readBack(Databases databases, ToLongFunction<WriteHistory> originNanos, ReadOptions options, int newest)
            throws InterruptedException {
        long begin = System.nanoTime();
        close();
        WriteHistory history = new WriteHistory(journals(runDirectory), rowFields);
        long origin = originNanos.applyAsLong(history);
        List<String> problems = new ArrayList<>();
        history.rollBack(Rollback.of(runDirectory, problems::add).map(loss -> loss.since(origin)));
        KeyJudge judge = new KeyJudge(history.fields(), rowFields, history::mayExist);
        JsonNode convergence = convergence(history, judge, databases, options, newest);
        long start = System.nanoTime();
        long clients =
                journals(runDirectory).stream().map(Path::getParent).distinct().count();
        ReadBack readBack = new ReadBack(history, clients, new LoadedRows(load), judge, databases, table, options);
        Tally tally = readBack.execute();
        AuditJson json = new AuditJson(history, tally, readBack, origin);
        ObjectNode audit = json.of(start, System.nanoTime(), options.threads());
        problems.forEach(problem -> audit.put("restoreProblem", problem));
        audit.set("reads", readBack.reads().json(readBack.guarantee(), json));
        long startOfNodes = System.nanoTime();
        Replicas replicas = new Replicas(
                new ReadTally(readBack.readJudge()).judging(history.keysWithReads((key, reads) -> {})),
                history.writes(),
                history.run(),
                judge,
                databases,
                table,
                options.ofNodes());
        ReplicaTally compared = replicas.execute();
        ObjectNode copies = new ReplicaJson(replicas, compared, json).of(startOfNodes, System.nanoTime());
        copies.set("convergence", convergence);
        audit.set("replicas", copies);
        audit.put("seconds", (System.nanoTime() - begin) / 1e9);
        return audit;
    }

    /** Before anything else is read, as it is a matter of time; null when it is not known. */
    private JsonNode convergence(
            WriteHistory history, KeyJudge judge, Databases databases, ReadOptions options, int newest)
            throws InterruptedException {
        List<KeyWrites> keys = newest == 0 ? List.of() : history.newest(newest);
        if (keys.isEmpty()) {
            return NullNode.instance;
        }
        Replicas replicas = new Replicas(
                keys.stream().map(KeyHistory::ofWrites).iterator(),
                keys.size(),
                history.run(),
                judge,
                databases,
                table,
                options.ofConvergence());
        replicas.execute();
        return replicas.convergence()
                .json(keys.size(), keys.get(keys.size() - 1).lastNanos());
    }

    /**
     * The journals of a run, of one client or of several; none when it was not audited.
     *
     * @throws UncheckedIOException when there is no such directory
     */
    public static List<Path> journals(Path runDirectory) {
        try (Stream<Path> files = Files.find(
                runDirectory,
                DEPTH,
                (file, attributes) ->
                        attributes.isRegularFile() && file.toString().endsWith(SUFFIX))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("audit: " + runDirectory + " cannot be read: " + FileReason.of(e), e);
        }
    }
}
