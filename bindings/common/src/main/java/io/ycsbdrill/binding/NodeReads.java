package io.ycsbdrill.binding;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A binding ({@link site.ycsb.DB}) that may be able to read the copy of a row that one node of the cluster has, whatever the other
 * nodes have. Like the binding itself it is used by one thread at a time.
 */
public interface NodeReads {

    /**
     * A node and how it is read.
     *
     * @param name for people; not null, each node its own
     * @param properties to be set in place of the same properties of this instance: an instance of the same class with these reads this
     *     node only. Its {@code read} answers {@code OK}, {@code NOT_FOUND} where there should be a copy and is none, {@link
     *     Statuses#NOT_HELD} where none should be, and anything else when it does not know. It is used for reads only
     */
    record Node(String name, Map<String, String> properties) {
        public Node {
            properties = Map.copyOf(properties);
        }
    }

    /**
     * The nodes of a cluster.
     *
     * @param nodes all that should have copies, those that are down too where they are known; empty when they cannot be read one by one
     * @param copies of each row, on as many nodes; 0 without nodes
     * @param settle within which all copies of a row that is no longer written become equal; zero when they are at once
     * @param reason why they cannot be read one by one; empty when they can
     */
    record Nodes(List<Node> nodes, int copies, Duration settle, String reason) {
        /** @throws IllegalArgumentException when there are neither nodes nor a reason, or both, or more copies than nodes */
        public Nodes {
            nodes = List.copyOf(nodes);
            if (nodes.isEmpty() == reason.isEmpty() || copies < 0 || copies > nodes.size() || settle.isNegative()) {
                throw new IllegalArgumentException(nodes.size() + " nodes, " + copies + " copies, settled within "
                        + settle + ", \"" + reason + "\"");
            }
        }

        /** They cannot be read one by one. */
        public static Nodes none(String reason) {
            return new Nodes(List.of(), 0, Duration.ZERO, reason);
        }
    }

    /**
     * What a read of this instance, as it is, may show.
     *
     * @param strong whether one that begins after a write was acknowledged shows that write or a later one, also when nodes fail: what is
     *     older is then a fault of the database
     * @param copies how many of a row any of which may answer; 1 when it is always the same one, or nothing is known
     * @param settle within which a read shows what was acknowledged and is no longer written; zero when it does at once
     * @param ofOneClient whether this holds for what the same client process has written, while it may miss what another one has
     */
    record Guarantee(boolean strong, int copies, Duration settle, boolean ofOneClient) {
        /** Nothing is promised. */
        public static final Guarantee NONE = new Guarantee(false, 1);

        /** Reads show at once what was acknowledged, or nobody knows. */
        public Guarantee(boolean strong, int copies) {
            this(strong, copies, Duration.ZERO);
        }

        /** The same for all clients. */
        public Guarantee(boolean strong, int copies, Duration settle) {
            this(strong, copies, settle, false);
        }

        /** What is left of it when so many client processes have written. */
        public Guarantee among(long clients) {
            return ofOneClient && clients > 1 ? new Guarantee(false, copies, settle) : this;
        }
    }

    /** What its reads may show; nothing is promised unless a binding says so. */
    default Guarantee guarantee() {
        return Guarantee.NONE;
    }

    /** How many rows {@link #readAll} reads at a time, from 1 on; 1 where {@code read} is all there is. May be asked of any instance. */
    default int rowsAtOnce() {
        return 1;
    }

    /**
     * Reads whole rows by one call of the node that this instance reads, each of them as {@code read} would. Asked only where {@link #rowsAtOnce} is above 1.
     *
     * @param keys at most {@link #rowsAtOnce}
     * @param rows take the fields of each, in the order of the keys
     * @return what {@code read} would have returned for each, in the order of the keys; anything that says nothing, such as {@link
     *     Statuses#UNAVAILABLE}, for the last ones when one answer has no room for them
     */
    default List<Status> readAll(String table, List<String> keys, List<Map<String, ByteIterator>> rows) {
        throw new UnsupportedOperationException("rows are read one by one");
    }

    /**
     * Asked of an instance that reads one node only, after its last read and before {@link site.ycsb.DB#cleanup}: why other nodes may have answered
     * some of its reads; empty when that cannot be. May ask the cluster.
     */
    default String doubt() {
        return "";
    }

    /**
     * The nodes, as the cluster is now. To be asked after {@link site.ycsb.DB#init}; may ask the cluster.
     *
     * @throws Exception when the cluster does not say
     */
    Nodes nodes() throws Exception;
}
