package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.util.List;

/**
 * The shape of a local cluster.
 *
 * @param nodes number of servers
 * @param bufferPool InnoDB's page cache per node, as MariaDB writes it: {@code 128M}
 * @param writeSetCache how much of the past each node keeps for those that come back, in the same form
 * @param syncWait MariaDB's {@code wsrep_sync_wait}
 * @param home installation; empty to search for one
 */
record GaleraOptions(int nodes, String bufferPool, String writeSetCache, int syncWait, String home) {
    static final List<Option> OWN = List.of(
            new Option("data-nodes", "3", "number of MariaDB servers, 2 to 7; fewer than 3 cannot lose one"),
            new Option("buffer-pool", "128M", "InnoDB's page cache per node, for example 128M or 2G, at least 16M"),
            new Option(
                    "gcache",
                    "128M",
                    "write sets that each node keeps on disk for returning nodes, at least 16M; a node that missed more"
                            + " copies everything (SST)"),
            new Option(
                    "sync-wait",
                    "0",
                    "wsrep_sync_wait, 0 to 15: 1 lets a read on one node see what was just written on another, 0 does not"
                            + " wait"),
            GaleraHome.PLACES.option());

    static GaleraOptions read(OptionReader reader, CommonOptions common) {
        if (common.sandbox().isolated() && common.haproxy().wanted()) {
            reader.problem("--haproxy and --" + IsolatedNetwork.SWITCH
                    + " cannot be combined: behind a proxy, clients would not see the partition");
        }
        return new GaleraOptions(
                reader.number("data-nodes", 2, 7),
                reader.size("buffer-pool", 16),
                reader.size("gcache", 16),
                reader.number("sync-wait", 0, 15),
                reader.text(GaleraHome.PLACES.option().name()));
    }
}
