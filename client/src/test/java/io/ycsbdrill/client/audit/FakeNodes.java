package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** A cluster in memory whose users see what they wrote, and whose nodes have what a test leaves them. Not changed while it is read. */
final class FakeNodes extends LossyDb implements NodeReads, Databases {
    /** One node: an own copy of each row. */
    static final class NodeDb extends LossyDb implements NodeReads {
        private String doubt = "";
        private int reads;
        private int calls;
        private int room = Integer.MAX_VALUE;
        private boolean together;
        private final Set<String> foreign = new HashSet<>();
        private final Set<String> silent = new HashSet<>();

        /** It is not to have a copy of this key, and says so. */
        void isNotToHave(String key) {
            foreign.add(key);
            rows.remove(key);
        }

        /** How often it was asked for a row. */
        synchronized int reads() {
            return reads;
        }

        /** A call that cannot answer for one of its keys answers for none of them. */
        void answersAllOrNone() {
            together = true;
        }

        /** How often it was asked for several rows at once. */
        synchronized int calls() {
            return calls;
        }

        /** Others may have answered in its place. */
        void isDoubtful(String why) {
            doubt = why;
        }

        @Override
        public String doubt() {
            return doubt;
        }

        @Override
        public Nodes nodes() {
            return Nodes.none("it is one of them");
        }

        /** It does not answer for this key. */
        void keepsSilentOn(String key) {
            silent.add(key);
        }

        @Override
        public synchronized List<Status> readAll(
                String table, List<String> keys, List<Map<String, ByteIterator>> rows) {
            calls++;
            if (together && keys.stream().anyMatch(silent::contains)) {
                return Collections.nCopies(keys.size(), Statuses.TIMEOUT);
            }
            List<Status> statuses = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                statuses.add(i < room ? read(table, keys.get(i), null, rows.get(i)) : Statuses.UNAVAILABLE);
            }
            return statuses;
        }

        @Override
        public synchronized Status read(
                String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
            reads++;
            if (silent.contains(key)) {
                return Statuses.TIMEOUT;
            }
            return foreign.contains(key) ? Statuses.NOT_HELD : super.read(table, key, fields, result);
        }
    }

    private final List<NodeDb> nodes = new ArrayList<>();
    private final Set<Integer> down = new HashSet<>();
    private final int copies;
    private Duration settle = Duration.ZERO;
    private int atOnce = 1;

    FakeNodes(int nodes, int copies) {
        this.copies = copies;
        for (int i = 0; i < nodes; i++) {
            this.nodes.add(new NodeDb());
        }
    }

    NodeDb node(int number) {
        return nodes.get(number);
    }

    int size() {
        return nodes.size();
    }

    /** A copy may be that late. */
    void settle(Duration within) {
        settle = within;
    }

    /** So many rows of a node are asked for by one call, and no more than there is room for are answered. */
    void atOnce(int rows, int room) {
        atOnce = rows;
        nodes.forEach(node -> node.room = room);
    }

    @Override
    public int rowsAtOnce() {
        return atOnce;
    }

    void down(int number) {
        down.add(number);
    }

    /** Every node has now what users see, of the keys that it is to have: {@code copies} nodes have each. */
    void replicate() {
        rows.forEach((key, row) -> nodes.forEach(node -> node.rows.put(key, new TreeMap<>(row))));
    }

    /** The nodes that are to have a copy. */
    Set<Integer> holders(String key) {
        Set<Integer> holders = new HashSet<>();
        for (int i = 0; i < copies; i++) {
            holders.add((Math.abs(key.hashCode()) + i) % nodes.size());
        }
        return holders;
    }

    @Override
    public Nodes nodes() {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            all.add(new Node("n" + i, Map.of("node", Integer.toString(i))));
        }
        return new Nodes(all, copies, settle, "");
    }

    @Override
    public DB connect(Map<String, String> changes) throws DBException {
        if (changes.isEmpty()) {
            return this;
        }
        int number = Integer.parseInt(new HashMap<>(changes).get("node"));
        if (down.contains(number)) {
            throw new DBException("n" + number + " is down");
        }
        return nodes.get(number);
    }
}
