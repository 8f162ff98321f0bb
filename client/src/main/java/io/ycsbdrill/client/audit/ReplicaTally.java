package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.CopyJudge.Comparison;
import io.ycsbdrill.client.audit.CopyJudge.Fault;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The comparisons of all keys, added up. Thread-safe. */
final class ReplicaTally {
    /** Differences that are listed one by one. */
    static final int MOST_DIFFERENCES = 1000;

    /** What one node has; changed under the tally's lock only. */
    static final class Node {
        private long held;
        private long absent;
        private long notHeld;
        private long unreadable;
        private long findings;
        private BigInteger hash = BigInteger.ZERO;

        /** Rows that it has. */
        long held() {
            return held;
        }

        /** Keys of which it is to have a copy and has no row, rightly or not. */
        long absent() {
            return absent;
        }

        /** Keys of which other nodes are to have the copies. */
        long notHeld() {
            return notHeld;
        }

        long unreadable() {
            return unreadable;
        }

        /** What is wrong with its copies. */
        long findings() {
            return findings;
        }

        /** The sum of the rows. */
        BigInteger hash() {
            return hash;
        }
    }

    /** One fault of the copy of one node. */
    record At(String key, int node, Fault fault) {}

    /** A key of which another number of nodes than expected is to have a copy. */
    record Miscounted(String key, int copies, int expected) {}

    private final List<Node> nodes = new ArrayList<>();
    private final List<At> faults = new ArrayList<>();
    private final List<Miscounted> miscounted = new ArrayList<>();
    private long keys;
    private long different;
    private long unreadable;
    private long late;
    private long unlisted;

    ReplicaTally(int nodes) {
        for (int i = 0; i < nodes; i++) {
            this.nodes.add(new Node());
        }
    }

    /**
     * @param copies of each node
     * @param hashes of the rows among them, in the same order; else any
     * @param late whether an earlier read has shown something wrong that this one did not confirm
     */
    synchronized void add(
            String key, List<RowCopy> copies, List<BigInteger> hashes, Comparison comparison, boolean late) {
        keys++;
        for (int i = 0; i < copies.size(); i++) {
            Node node = nodes.get(i);
            switch (copies.get(i).state()) {
                case ROW -> {
                    node.held++;
                    node.hash = RowHash.plus(node.hash, hashes.get(i));
                }
                case ABSENT -> node.absent++;
                case NOT_HELD -> node.notHeld++;
                case UNREADABLE -> node.unreadable++;
            }
        }
        this.late += late ? 1 : 0;
        different += comparison.differ() || comparison.miscounted() ? 1 : 0;
        unreadable += comparison.unreadable() > 0 ? 1 : 0;
        comparison.faults().forEach((number, found) -> {
            nodes.get(number).findings += found.size();
            found.forEach(fault -> list(faults, new At(key, number, fault)));
        });
        if (comparison.miscounted()) {
            list(miscounted, new Miscounted(key, comparison.copies(), comparison.expected()));
        }
    }

    private <T> void list(List<T> into, T found) {
        if (faults.size() + miscounted.size() < MOST_DIFFERENCES) {
            into.add(found);
        } else {
            unlisted++;
        }
    }

    synchronized List<Node> nodes() {
        return List.copyOf(nodes);
    }

    synchronized List<At> faults() {
        return List.copyOf(faults);
    }

    synchronized List<Miscounted> miscounted() {
        return List.copyOf(miscounted);
    }

    synchronized long unlisted() {
        return unlisted;
    }

    /** Keys that were compared, as far as they could be. */
    synchronized long keys() {
        return keys;
    }

    /** Keys whose copies are not all equal, or not as many as they should be. */
    synchronized long different() {
        return different;
    }

    /** Keys of which a copy could not be read. */
    synchronized long unreadable() {
        return unreadable;
    }

    /** Keys that looked wrong at first and right when they were read again. */
    synchronized long late() {
        return late;
    }
}
