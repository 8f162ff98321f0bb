package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.client.audit.CopyJudge.Comparison;
import io.ycsbdrill.client.audit.KeyPasses.Item;
import io.ycsbdrill.client.audit.KeyPasses.Step;
import io.ycsbdrill.client.audit.journal.Stamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import site.ycsb.DB;

/**
 * Reads every touched key on each node by itself and compares the copies, where the binding can ({@link NodeReads}). What differs is
 * read again in later passes: only what stays different is a difference.
 */
final class Replicas {
    private static final NodeReads.Nodes UNKNOWN = NodeReads.Nodes.none("the cluster did not report its nodes");

    private final KeyPasses passes;
    private final CopyJudge judge;
    private final Databases databases;
    private final String table;
    private final long run;
    private final ReadOptions options;
    private NodeReads.Nodes nodes = UNKNOWN;
    private boolean available = true;
    private int rowsAtOnce = 1;
    private Convergence convergence = new Convergence();
    private int confirmations;

    /**
     * @param writes at least as many as there are keys
     * @param run see {@link Stamp}
     */
    Replicas(
            Iterator<KeyHistory> keys,
            long writes,
            long run,
            KeyJudge judge,
            Databases databases,
            String table,
            ReadOptions options) {
        this.options = options;
        this.passes = new KeyPasses(keys, writes, options, "read on each node");
        this.judge = new CopyJudge(judge);
        this.databases = databases;
        this.table = table;
        this.run = run;
    }

    /** When the copies became equal; known of no key when it is doubtful which node was read. */
    Convergence convergence() {
        return convergence;
    }

    /** The nodes; without any their reason says why. */
    NodeReads.Nodes nodes() {
        return nodes;
    }

    /** Whether the engine and the binding can do it at all. */
    boolean available() {
        return available;
    }

    /** Touched keys. */
    long keys() {
        return passes.keys();
    }

    /** Why some keys could not be read on some nodes, each reason once. */
    List<String> problems() {
        return passes.problems();
    }

    /** Reads until all is compared, or nothing more can be done. */
    ReplicaTally execute() throws InterruptedException {
        find();
        ReplicaTally tally = new ReplicaTally(nodes.nodes().size());
        if (nodes.nodes().isEmpty() || options.cancelled().getAsBoolean()) {
            return tally;
        }
        options.progress()
                .accept("audit: reading the written keys on each of "
                        + nodes.nodes().size() + " nodes");
        confirmations = options.confirmations(nodes.settle().toMillis());
        List<DB> connections = new ArrayList<>();
        try {
            passes.execute(
                    connect(connections).stream()
                            .map(readers -> (KeyPasses.Reader) items -> compare(readers, items, tally))
                            .toList(),
                    rowsAtOnce);
            if (isDoubtful(connections)) {
                convergence = new Convergence();
                return new ReplicaTally(nodes.nodes().size());
            }
        } finally {
            connections.forEach(passes::cleanUp);
        }
        return tally;
    }

    /** Whether any read may not have been of the node that it was meant for: then no copy was compared for sure. */
    private boolean isDoubtful(List<DB> connections) {
        List<String> doubts = connections.stream()
                .filter(NodeReads.class::isInstance)
                .map(db -> ((NodeReads) db).doubt())
                .filter(doubt -> !doubt.isEmpty())
                .distinct()
                .toList();
        doubts.forEach(doubt -> passes.problem("replicas not compared: " + doubt));
        return !doubts.isEmpty();
    }

    private void find() {
        DB db = null;
        try {
            db = databases.connect(Map.of());
            if (db instanceof NodeReads reads) {
                nodes = reads.nodes();
                rowsAtOnce = reads.rowsAtOnce();
            } else {
                nodes = NodeReads.Nodes.none(
                        "the binding " + db.getClass().getSimpleName() + " cannot read a single node");
            }
            available = !nodes.nodes().isEmpty();
        } catch (Exception | LinkageError e) {
            passes.problem("nodes", e);
        } finally {
            if (db != null) {
                passes.cleanUp(db);
            }
        }
    }

    /**
     * @param made all connections, to be cleaned up
     * @return for each thread its readers of each node, null for a node that takes no connection
     */
    private List<List<RowReader>> connect(List<DB> made) throws InterruptedException {
        List<List<RowReader>> threads = new ArrayList<>();
        for (int i = 0; i < passes.mostReaders(); i++) {
            threads.add(new ArrayList<>());
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.timeoutMillis());
        for (NodeReads.Node node : nodes.nodes()) {
            boolean there = true;
            for (List<RowReader> readers : threads) {
                DB db = there ? connect(node, deadline) : null;
                there = db != null;
                if (there) {
                    made.add(db);
                }
                readers.add(there ? new RowReader(db, table, new Stamp(run)) : null);
            }
        }
        return threads;
    }

    /** @return null when it takes no connection */
    private DB connect(NodeReads.Node node, long deadline) throws InterruptedException {
        boolean reported = false;
        while (true) {
            try {
                return databases.connect(node.properties());
            } catch (Exception | LinkageError e) {
                if (System.nanoTime() - deadline > 0 || options.cancelled().getAsBoolean()) {
                    passes.problem(node.name() + ": connection", e);
                    return null;
                }
                if (!reported) {
                    options.progress()
                            .accept("audit: " + node.name() + " cannot be reached; retrying for "
                                    + options.timeoutMillis() / 1000 + " s");
                    reported = true;
                }
                Thread.sleep(Math.max(1, options.pauseMillis()));
            }
        }
    }

    private List<Step> compare(List<RowReader> readers, List<Item> items, ReplicaTally tally) {
        List<String> keys = items.stream().map(Item::key).toList();
        long before = System.nanoTime();
        List<List<RowCopy>> copies = IntStream.range(0, readers.size())
                .mapToObj(i -> read(i, readers.get(i), keys))
                .toList();
        long after = System.nanoTime();
        return IntStream.range(0, items.size())
                .mapToObj(i -> {
                    List<RowCopy> ofKey =
                            copies.stream().map(node -> node.get(i)).toList();
                    return compare(readers, items.get(i), ofKey, before, after, tally);
                })
                .toList();
    }

    private Step compare(
            List<RowReader> readers, Item item, List<RowCopy> copies, long before, long after, ReplicaTally tally) {
        String key = item.key();
        boolean silent = false;
        for (int i = 0; i < readers.size(); i++) {
            silent |= readers.get(i) != null && copies.get(i).state() == RowCopy.State.UNREADABLE;
        }
        if (silent && !item.last()) {
            return Step.NO_ANSWER;
        }
        Comparison comparison = judge.judge(item.of(), copies, nodes.copies());
        boolean apart = comparison.differ() || comparison.miscounted();
        if (apart) {
            convergence.differed(before);
        }
        // What is wrong with equal copies does not change by waiting for one of them; of those that did not answer
        // nobody knows that.
        int wanted = apart || comparison.unreadable() > 0 ? confirmations : options.confirmations(0);
        if (comparison.suspect() && item.suspected() + 1 < wanted && !item.last()) {
            return Step.SUSPECT;
        }
        if (!apart && comparison.unreadable() == 0) {
            convergence.wereEqual(after);
        }
        for (int i = 0; i < copies.size(); i++) {
            if (readers.get(i) != null && copies.get(i).state() == RowCopy.State.UNREADABLE) {
                passes.problem(nodes.nodes().get(i).name() + ": reads fail");
            }
        }
        List<BigInteger> hashes = copies.stream()
                .map(copy -> copy.state() == RowCopy.State.ROW ? RowHash.of(key, copy.row()) : BigInteger.ZERO)
                .toList();
        tally.add(key, copies, hashes, comparison, item.suspected() > 0 && !comparison.suspect());
        return Step.SETTLED;
    }

    private List<RowCopy> read(int node, RowReader reader, List<String> keys) {
        List<RowCopy> unreadable = Collections.nCopies(keys.size(), RowCopy.UNREADABLE);
        try {
            return reader == null ? unreadable : reader.read(keys);
        } catch (RuntimeException e) {
            passes.problem(nodes.nodes().get(node).name() + ": read", e);
            return unreadable;
        }
    }
}
