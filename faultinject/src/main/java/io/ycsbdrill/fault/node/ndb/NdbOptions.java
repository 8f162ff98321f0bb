package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shape of a local cluster.
 *
 * @param dataNodes number of data nodes, a multiple of the replicas
 * @param replicas copies of each row
 * @param sqlNodes number of MySQL servers
 * @param dataMemory memory for rows and indexes per data node, as NDB writes it: {@code 400M}, {@code 2G}
 * @param apiSlots node ids free for clients; each ClusterJ connection takes one
 * @param home installation; null to look for one
 * @param haproxy the proxy before the SQL nodes
 */
record NdbOptions(
        int dataNodes,
        int replicas,
        int sqlNodes,
        String dataMemory,
        int apiSlots,
        String home,
        HaproxyOptions haproxy) {
    private static final List<Option> OWN = List.of(
            new Option(
                    "data-nodes",
                    "3",
                    "number of data nodes, 1 to 8, a multiple of replicas; each takes data-memory + 0.4 GB"),
            new Option("replicas", "3", "copies of each row, 1 to 4"),
            new Option("sql-nodes", "1", "number of MySQL servers, 0 to 4"),
            new Option(
                    "data-memory",
                    "256M",
                    "memory for rows and indexes per data node, for example 256M or 2G, at least 64M"),
            new Option("api-slots", "12", "node ids for clients, 1 to 100; each ClusterJ connection takes one"),
            new Option(
                    "ndb-home",
                    "",
                    "installation to use; default: NDB_HOME, then what bin/install-ndb put into the cache, then /usr"));

    static final List<Option> ALL =
            Stream.concat(OWN.stream(), HaproxyOptions.ALL.stream()).toList();

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
        NdbOptions options = new NdbOptions(
                dataNodes,
                replicas,
                reader.number("sql-nodes", 0, 4),
                reader.size("data-memory", 64),
                reader.number("api-slots", 1, 100),
                reader.text("ndb-home"),
                HaproxyOptions.read(reader));
        if (options.haproxy().wanted() && options.sqlNodes() == 0) {
            reader.problem("--haproxy needs SQL nodes, and --sql-nodes 0 makes none");
        }
        reader.check();
        return options;
    }
}
