package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shape of a local cluster.
 *
 * @param nodes number of servers
 * @param spares number of servers that are prepared beside them
 * @param bufferPool InnoDB's page cache per node, as MariaDB writes it: {@code 128M}
 * @param writeSetCache how much of the past each node keeps for those that come back, in the same form
 * @param syncWait MariaDB's {@code wsrep_sync_wait}
 * @param disks what can be done to the nodes' disks
 * @param isolated whether each node has a network of its own
 * @param memoryFaults whether memory can be taken from the data nodes
 * @param home installation; empty to search for one
 * @param haproxy the proxy before the servers
 */
record GaleraOptions(
        int nodes,
        int spares,
        String bufferPool,
        String writeSetCache,
        int syncWait,
        DiskShim.Mode disks,
        boolean isolated,
        boolean memoryFaults,
        String home,
        HaproxyOptions haproxy) {
    private static final List<Option> OWN = List.of(
            new Option("data-nodes", "3", "number of MariaDB servers, 2 to 7; fewer than 3 cannot lose one"),
            Members.OPTION,
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
            DiskShim.OPTION,
            DiskShim.POWER_LOSS,
            IsolatedNetwork.OPTION,
            MemoryGroups.OPTION,
            new Option(
                    "galera-home",
                    "",
                    "installation to use; default: GALERA_HOME, then what bin/install-galera put into the cache, then"
                            + " installed packages"));

    static final List<Option> ALL =
            Stream.concat(OWN.stream(), HaproxyOptions.ALL.stream()).toList();

    /** @throws IllegalArgumentException naming every invalid option with its value and range */
    static GaleraOptions parse(Map<String, String> given) {
        OptionReader reader = new OptionReader("galera", ALL, given);
        GaleraOptions options = new GaleraOptions(
                reader.number("data-nodes", 2, 7),
                reader.number(Members.OPTION.name(), 0, 3),
                reader.size("buffer-pool", 16),
                reader.size("gcache", 16),
                reader.number("sync-wait", 0, 15),
                DiskShim.wanted(reader),
                IsolatedNetwork.wanted(reader),
                MemoryGroups.wanted(reader),
                reader.text("galera-home"),
                HaproxyOptions.read(reader));
        if (options.isolated && options.haproxy.wanted()) {
            reader.problem("--haproxy and --" + IsolatedNetwork.SWITCH
                    + " cannot be combined: behind a proxy, clients would not see the partition");
        }
        reader.check();
        return options;
    }
}
