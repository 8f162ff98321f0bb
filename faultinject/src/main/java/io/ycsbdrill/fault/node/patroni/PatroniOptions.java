package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import java.util.List;

/**
 * The shape of a local cluster.
 *
 * @param nodes number of nodes, each a Patroni with its PostgreSQL
 * @param synchronous whether the primary waits for a replica before it acknowledges
 * @param failsafe whether a primary that has lost etcd goes on while it reaches all the others
 * @param ttl seconds after which a leader that says nothing has lost its key
 * @param loopWait seconds between two of Patroni's looks
 * @param retryTimeout seconds for which Patroni repeats what fails
 * @param maximumLag MiB that a replica may lack and still take over
 * @param pgbouncer whether a PgBouncer stands before the HAProxy
 * @param urlList whether clients get a URL with all servers, of which the driver finds the primary
 * @param user whose rights the servers have when this program runs as root
 * @param home installation; empty to search for one
 */
record PatroniOptions(
        int nodes,
        boolean synchronous,
        boolean failsafe,
        int ttl,
        int loopWait,
        int retryTimeout,
        int maximumLag,
        boolean pgbouncer,
        boolean urlList,
        String user,
        String home) {
    /** What Patroni 4 demands at least. */
    private static final int LEAST_TTL = 20;

    private static final int LEAST_RETRY = 3;

    static final List<Option> OWN = List.of(
            new Option("data-nodes", "3", "number of nodes, each Patroni with its PostgreSQL, 2 to 7"),
            new Option("synchronous", "false", "synchronous_mode: a commit waits for one replica"),
            new Option(
                    "failsafe",
                    "false",
                    "failsafe_mode: a primary that loses etcd goes on while it reaches all others"),
            new Option(
                    "ttl",
                    "30",
                    "seconds after which a silent leader has lost its key, 5 to 300; Patroni 4 takes no less than 20"),
            new Option("loop-wait", "10", "seconds between two rounds of Patroni's loop, 1 to 60"),
            new Option(
                    "retry-timeout",
                    "",
                    "seconds for which Patroni retries what has failed, 2 to 100; default: (ttl - loop-wait) / 2, at most 10"),
            new Option(
                    "maximum-lag",
                    "1",
                    "maximum_lag_on_failover, 1 to 100000 MiB: a replica that is further behind does not take over"),
            new Option(
                    "pgbouncer",
                    "false",
                    "put a PgBouncer (session pooling) before the HAProxy, which --haproxy starts, and connect jdbc to it"),
            new Option(
                    "url-list",
                    "false",
                    "give jdbc a URL with all servers, in which the driver finds the primary, in place of db.hosts"),
            new Option(
                    "run-as",
                    "nobody",
                    "user that the servers run as when ycsb runs as root, which PostgreSQL refuses"),
            PatroniHome.PLACES.option());

    static PatroniOptions read(OptionReader reader, CommonOptions common) {
        boolean pgbouncer = reader.flag("pgbouncer");
        if (pgbouncer && !common.haproxy().wanted()) {
            reader.problem("--pgbouncer needs --haproxy, which knows the primary: PgBouncer does not look for one");
        }
        boolean urlList = reader.flag("url-list");
        if (urlList && common.haproxy().wanted()) {
            reader.problem("--url-list and --haproxy cannot be combined: clients of HAProxy know one server");
        }
        int ttl = reader.number("ttl", 5, 300);
        int loop = reader.number("loop-wait", 1, 60);
        int retry = reader.text("retry-timeout").isBlank()
                ? Math.max(2, Math.min(10, (ttl - loop) / 2))
                : reader.number("retry-timeout", 2, 100);
        if (loop + 2 * retry > ttl) {
            reader.problem("--ttl " + ttl + ": loop-wait + 2 x retry-timeout, here " + loop + " + 2 x " + retry
                    + ", must not be more");
        }
        return new PatroniOptions(
                reader.number("data-nodes", 2, 7),
                reader.flag("synchronous"),
                reader.flag("failsafe"),
                ttl,
                loop,
                retry,
                reader.number("maximum-lag", 1, 100_000),
                pgbouncer,
                urlList,
                reader.text("run-as"),
                reader.text(PatroniHome.PLACES.option().name()));
    }

    /** @throws NodeControlException when a Patroni of that version does not take these times, in seconds */
    static void check(String version, int ttl, int retryTimeout) {
        if (!version.matches("[0-3]\\..*") && (ttl < LEAST_TTL || retryTimeout < LEAST_RETRY)) {
            throw new NodeControlException("--ttl " + ttl + ", --retry-timeout " + retryTimeout + ": Patroni " + version
                    + " takes a ttl of at least " + LEAST_TTL + " and a retry-timeout of at least " + LEAST_RETRY);
        }
    }
}
