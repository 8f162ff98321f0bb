package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The shape of a local cluster.
 *
 * @param dataNodes number of data nodes, a multiple of the replicas
 * @param spares number of data nodes that are prepared beside them, a multiple of the replicas
 * @param replicas copies of each row
 * @param sqlNodes number of MySQL servers
 * @param dataMemory memory for rows and indexes per data node, as NDB writes it: {@code 400M}, {@code 2G}
 * @param diskPageBuffer memory for pages of disk tables per data node, written likewise
 * @param redo the REDO logs
 * @param apiSlots node ids free for clients; each ClusterJ connection takes one
 * @param sandbox what surrounds the data nodes
 * @param home installation; null to look for one
 * @param haproxy the proxy before the SQL nodes
 */
record NdbOptions(
        int dataNodes,
        int spares,
        int replicas,
        int sqlNodes,
        String dataMemory,
        String diskPageBuffer,
        NdbRedo redo,
        int apiSlots,
        NodeSandbox.Wanted sandbox,
        String home,
        HaproxyOptions haproxy) {
    private static final List<Option> OWN = List.of(
            new Option(
                    "data-nodes",
                    "3",
                    "number of data nodes, 1 to 8, a multiple of replicas; each takes data-memory + 0.4 GB"),
            Members.OPTION,
            new Option("replicas", "3", "copies of each row, 1 to 4"),
            new Option("sql-nodes", "1", "number of MySQL servers, 0 to 4"),
            new Option(
                    "data-memory",
                    "256M",
                    "memory for rows and indexes per data node, for example 256M or 2G, at least 64M"),
            new Option(
                    "disk-page-buffer",
                    "64M",
                    "memory for pages of disk tables per data node, for example 64M or 2G, at least 4M"),
            NdbRedo.FILES,
            NdbRedo.FILE_SIZE,
            NdbRedo.FULL,
            NdbRedo.DIRECT,
            new Option("api-slots", "12", "node ids for clients, 1 to 100; each ClusterJ connection takes one"),
            new Option(
                    "ndb-home",
                    "",
                    "installation to use; default: NDB_HOME, then what bin/install-ndb put into the cache, then /usr"));

    static final List<Option> ALL = Stream.of(OWN, NodeSandbox.options(Set.of()), HaproxyOptions.ALL)
            .flatMap(List::stream)
            .toList();

    /** Whether all data nodes are of one node group, so that each has all rows. */
    boolean oneGroup() {
        return dataNodes == replicas && spares == 0;
    }

    /** The data nodes' ids, those of spare ones included, in their order. */
    List<String> nodeIds() {
        return IntStream.rangeClosed(1, dataNodes + spares)
                .mapToObj(Integer::toString)
                .toList();
    }

    /** @throws IllegalArgumentException naming every invalid option with its value and range */
    static NdbOptions parse(Map<String, String> given) {
        OptionReader reader = new OptionReader("ndb", ALL, given);
        int dataNodes = reader.number("data-nodes", 1, 8);
        int most = reader.number("replicas", 1, 4);
        // A cluster of fewer nodes than the default of copies has as many copies as nodes.
        int replicas = reader.given("replicas") ? most : Math.min(dataNodes, most);
        if (dataNodes % replicas != 0) {
            reader.problem("--data-nodes " + dataNodes + " is not a multiple of --replicas " + replicas);
        }
        int spares = reader.number(Members.OPTION.name(), 0, 3);
        if (spares % replicas != 0) {
            reader.problem("--spare-nodes " + spares + " is not a multiple of --replicas " + replicas
                    + ": data nodes join as a node group, which has as many nodes as there are copies");
        }
        int sqlNodes = reader.number("sql-nodes", 0, 4);
        if (spares > 0 && sqlNodes == 0) {
            reader.problem(
                    "--spare-nodes needs a SQL node, through which data is moved to them; --sql-nodes 0 makes none");
        }
        NdbOptions options = new NdbOptions(
                dataNodes,
                spares,
                replicas,
                sqlNodes,
                reader.size("data-memory", 64),
                reader.size("disk-page-buffer", 4),
                NdbRedo.read(reader),
                reader.number("api-slots", 1, 100),
                NodeSandbox.Wanted.read(reader, Set.of()),
                reader.text("ndb-home"),
                HaproxyOptions.read(reader));
        if (options.haproxy().wanted() && options.sqlNodes() == 0) {
            reader.problem("--haproxy needs SQL nodes, and --sql-nodes 0 makes none");
        }
        reader.check();
        return options;
    }
}
