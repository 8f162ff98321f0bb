package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
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
    private static final Pattern MEMORY = Pattern.compile("[1-9][0-9]{0,5}[MG]");

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

    static NdbOptions parse(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        for (String name : given.keySet()) {
            if (ALL.stream().noneMatch(o -> o.name().equals(name))) {
                problems.add("unknown option " + name + "; known are "
                        + ALL.stream().map(Option::name).toList());
            }
        }
        int dataNodes = number(given, "data-nodes", 1, 8, problems);
        // A cluster of fewer nodes than the default of copies has as many copies as nodes.
        int replicas = given.containsKey("replicas")
                ? number(given, "replicas", 1, 4, problems)
                : Math.min(dataNodes, Integer.parseInt(fallback("replicas")));
        int sqlNodes = number(given, "sql-nodes", 0, 4, problems);
        int apiSlots = number(given, "api-slots", 1, 100, problems);
        String memory =
                given.getOrDefault("data-memory", fallback("data-memory")).toUpperCase(Locale.ROOT);
        if (!MEMORY.matcher(memory).matches() || megabytes(memory) < 64) {
            problems.add("data-memory=" + memory + " is not a size such as 256M or 2G of at least 64M");
        }
        if (replicas > 0 && dataNodes % replicas != 0) {
            problems.add("data-nodes=" + dataNodes + " is not a multiple of replicas=" + replicas);
        }
        HaproxyOptions haproxy = HaproxyOptions.parse(given, problems);
        if (haproxy.wanted() && sqlNodes == 0) {
            problems.add("haproxy stands before SQL nodes, and sql-nodes=0 makes none");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return new NdbOptions(
                dataNodes,
                replicas,
                sqlNodes,
                memory,
                apiSlots,
                given.getOrDefault("ndb-home", fallback("ndb-home")),
                haproxy);
    }

    private static long megabytes(String memory) {
        long number = Long.parseLong(memory.substring(0, memory.length() - 1));
        return memory.endsWith("G") ? number * 1024 : number;
    }

    private static int number(Map<String, String> given, String name, int least, int most, List<String> problems) {
        String text = given.getOrDefault(name, fallback(name));
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        problems.add(name + "=" + text + " is not a number in " + least + ".." + most);
        return Integer.parseInt(fallback(name));
    }

    private static String fallback(String name) {
        return ALL.stream()
                .filter(o -> o.name().equals(name))
                .findFirst()
                .orElseThrow()
                .defaultValue();
    }
}
