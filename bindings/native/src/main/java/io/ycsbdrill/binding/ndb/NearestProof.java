package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.NdbRows;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.DBException;

/**
 * Proves that one data node has answered the reads of a connection from its own copies: by 500 reads in {@link #begin}, of keys that need not exist and
 * are spread over all partitions, and by {@link #doubt} for those that follow. Thread-safe.
 */
final class NearestProof {
    private static final int READS = 500;
    /** The most reads that may be others', for example the SQL node's that is asked. */
    private static final int FOREIGN = READS / 10;

    private final NdbProperties settings;
    private final NdbInstallation installation;
    private final int node;
    private final AtomicLong sent = new AtomicLong();
    private int apiNode;
    private Counters start;

    /** What the transaction coordinators of a data node have counted: primary key reads, and those that its own copy answered. */
    record Reads(long all, long local) {}

    /**
     * What the cluster says.
     *
     * @param reads by data node, since it was started
     * @param link between the node and this client: how often it was made, and whether it is there
     */
    record Counters(Map<Integer, Reads> reads, String link) {
        Reads of(int node) {
            return reads.getOrDefault(node, new Reads(0, 0));
        }
    }

    NearestProof(NdbProperties settings, NdbInstallation installation, int node) {
        this.settings = settings;
        this.installation = installation;
        this.node = node;
    }

    /**
     * Before the first read.
     *
     * @param connections used for nothing else
     * @throws DBException saying who answers instead, or why that is not known
     */
    void begin(Connections connections) throws DBException, NdbException {
        if (settings.sql().isEmpty()) {
            throw new DBException("ndb.read.node needs ndb.sql: only an SQL node can tell which data node answers");
        }
        apiNode = connections.nodeIds().get(0);
        start = ask();
        try (NdbSession session = connections.session()) {
            NdbRows rows = session.rows(settings.table());
            byte[][] values = new byte[rows.shape().columns().size()][];
            ColumnSet nothing = new ColumnSet(new int[0], values.length);
            for (int i = 0; i < READS; i++) {
                NdbFailure failure =
                        rows.readNearest(Integer.toString(i).getBytes(StandardCharsets.UTF_8), nothing, values);
                if (failure != null && !NdbStatuses.expected(failure)) {
                    throw new DBException("data node " + node + " cannot be read by itself: " + failure);
                }
            }
        }
        sent.addAndGet(READS);
        Counters now = ask();
        String problem = foreign(READS, start, now);
        problem = problem.isEmpty() ? problem(node, READS, start, now) : problem;
        if (!problem.isEmpty()) {
            throw new DBException(problem);
        }
    }

    /** A read is being sent. */
    void reads() {
        sent.incrementAndGet();
    }

    /** When no read is under way: why not all of them were answered by the node's own copies; empty when they were. */
    String doubt() {
        try {
            return problem(node, sent.get(), start, ask());
        } catch (DBException e) {
            return e.getMessage();
        }
    }

    /** Why nothing is proved, as others read too much meanwhile; empty when they did not. */
    static String foreign(long sent, Counters before, Counters after) {
        long all = after.reads().keySet().stream()
                .mapToLong(of -> after.of(of).all() - before.of(of).all())
                .sum();
        return all >= sent && all <= sent + FOREIGN
                ? ""
                : "it cannot be proved which data node answers: the cluster counted " + all + " reads where " + sent
                        + " were sent; nothing else may read during the audit";
    }

    /** Why the node has not answered all of them; empty when it has. */
    static String problem(int node, long sent, Counters before, Counters after) {
        if (!before.link().equals(after.link())) {
            return "data node " + node + " was not connected all the time, and others answered in its place";
        }
        long local = after.of(node).local() - before.of(node).local();
        return local >= sent
                ? ""
                : "of " + sent + " reads that data node " + node + " should have answered, it answered " + local
                        + "; is LocationDomainId the same for it and for its slot of " + NodeSlots.PROPERTY
                        + ", another for each other data node, and has each data node a copy of all rows?";
    }

    private Counters ask() throws DBException {
        String counters = "SELECT node_id, SUM(IF(counter_name='READS', val, 0)),"
                + " SUM(IF(counter_name='LOCAL_READS', val, 0)) FROM ndbinfo.counters WHERE block_name='DBTC' GROUP BY node_id";
        String link = "SELECT 'link', SUM(connect_count), SUM(status='CONNECTED') FROM ndbinfo.transporters"
                + " WHERE node_id=" + node + " AND remote_node_id=" + apiNode;
        try {
            String text = SqlNode.of(settings, installation, System.getenv("PATH"))
                    .orElseThrow(() -> new DBException("there is no mysql program to ask ndbinfo with in "
                            + installation.home().resolve("bin") + " or on the PATH"))
                    .execute(List.of(counters, link));
            Map<Integer, Reads> reads = new HashMap<>();
            String found = "";
            for (String line : text.lines().toList()) {
                String[] cells = line.split("\\t");
                if (cells[0].equals("link")) {
                    found = line;
                } else {
                    reads.put(Integer.valueOf(cells[0]), new Reads(Long.parseLong(cells[1]), Long.parseLong(cells[2])));
                }
            }
            return new Counters(reads, found);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new DBException("ndbinfo cannot be read through ndb.sql: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DBException("interrupted while ndbinfo was read", e);
        }
    }
}
