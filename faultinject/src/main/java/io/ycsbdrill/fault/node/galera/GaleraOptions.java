package io.ycsbdrill.fault.node.galera;

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
 * @param nodes number of servers
 * @param bufferPool InnoDB's page cache per node, as MariaDB writes it: {@code 128M}
 * @param writeSetCache how much of the past each node keeps for those that come back, likewise
 * @param syncWait MariaDB's {@code wsrep_sync_wait}
 * @param home installation; empty to look for one
 * @param haproxy the proxy before the servers
 */
record GaleraOptions(
        int nodes, String bufferPool, String writeSetCache, int syncWait, String home, HaproxyOptions haproxy) {
    private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,5}[MG]");

    private static final List<Option> OWN = List.of(
            new Option("data-nodes", "3", "number of MariaDB servers, 2 to 7; fewer than 3 cannot lose one"),
            new Option("buffer-pool", "128M", "InnoDB's page cache per node, for example 128M or 2G, at least 16M"),
            new Option(
                    "gcache",
                    "128M",
                    "write sets that each node keeps on disk for nodes that come back, at least 16M; a node that missed"
                            + " more copies everything (SST)"),
            new Option(
                    "sync-wait",
                    "0",
                    "wsrep_sync_wait, 0 to 15: 1 lets a read on one node see what was just written on another, 0 does not"
                            + " wait"),
            new Option(
                    "galera-home",
                    "",
                    "installation to use; default: GALERA_HOME, then what bin/install-galera put into the cache, then"
                            + " installed packages"));

    static final List<Option> ALL =
            Stream.concat(OWN.stream(), HaproxyOptions.ALL.stream()).toList();

    static GaleraOptions parse(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        for (String name : given.keySet()) {
            if (ALL.stream().noneMatch(o -> o.name().equals(name))) {
                problems.add("unknown option " + name + "; known are "
                        + ALL.stream().map(Option::name).toList());
            }
        }
        int nodes = number(given, "data-nodes", 2, 7, problems);
        int syncWait = number(given, "sync-wait", 0, 15, problems);
        String pool = size(given, "buffer-pool", problems);
        String cache = size(given, "gcache", problems);
        HaproxyOptions haproxy = HaproxyOptions.parse(given, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return new GaleraOptions(nodes, pool, cache, syncWait, given.getOrDefault("galera-home", ""), haproxy);
    }

    private static String size(Map<String, String> given, String name, List<String> problems) {
        String size = given.getOrDefault(name, fallback(name)).strip().toUpperCase(Locale.ROOT);
        if (!SIZE.matcher(size).matches() || megabytes(size) < 16) {
            problems.add(name + "=" + size + " is not a size such as 128M or 2G of at least 16M");
        }
        return size;
    }

    private static long megabytes(String size) {
        long number = Long.parseLong(size.substring(0, size.length() - 1));
        return size.endsWith("G") ? number * 1024 : number;
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
        return least;
    }

    private static String fallback(String name) {
        return ALL.stream()
                .filter(o -> o.name().equals(name))
                .findFirst()
                .orElseThrow()
                .defaultValue();
    }
}
