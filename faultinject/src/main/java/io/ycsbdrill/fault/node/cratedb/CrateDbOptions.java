package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of a local cluster.
 *
 * @param nodes number of servers
 * @param heap of each server's JVM, for example {@code 512M}
 * @param shards of a table that a binding creates; 0 leaves it to the server
 * @param replicas of such a table, as in SQL: {@code 1} or {@code 0-1}; empty leaves it to the server
 * @param user whose rights the servers have when this program runs as root
 * @param home installation; empty to search for one
 */
record CrateDbOptions(int nodes, String heap, int shards, String replicas, String user, String home) {
    private static final Pattern REPLICAS = Pattern.compile("(\\d{1,3})(-(\\d{1,3}|all))?");

    static final List<Option> OWN = List.of(
            new Option("nodes", "3", "number of servers, 1 to 7; fewer than 3 cannot lose one"),
            new Option("heap", "512M", "JVM heap of each server, for example 512M or 2G, at least 256M"),
            new Option(
                    "shards", "0", "shards of a table that rest or jdbc creates, 1 to 1000; 0 leaves it to the server"),
            new Option(
                    "replicas",
                    "",
                    "number_of_replicas of a table that rest or jdbc creates: 1, or a range such as 0-1; at most nodes - 1;"
                            + " default: the server's, 0-1"),
            new Option(
                    "run-as", "nobody", "user that the servers run as when ycsb runs as root, which CrateDB refuses"),
            CrateDbHome.PLACES.option());

    static CrateDbOptions read(OptionReader reader) {
        CrateDbOptions options = new CrateDbOptions(
                reader.number("nodes", 1, 7),
                reader.size("heap", 256),
                reader.number("shards", 0, 1000),
                reader.text("replicas"),
                reader.text("run-as"),
                reader.text(CrateDbHome.PLACES.option().name()));
        if (!options.replicasFit()) {
            reader.problem("--replicas " + options.replicas + ": expected a number or a range such as 0-1, at most "
                    + (options.nodes - 1) + " with " + options.nodes
                    + (options.nodes == 1 ? " node" : " nodes, as a node holds one copy of a row"));
        }
        if (!options.user.matches("[A-Za-z_][A-Za-z0-9_.-]*") || options.user.equals("root")) {
            reader.problem("--run-as " + options.user + ": expected the name of a user other than root");
        }
        return options;
    }

    private boolean replicasFit() {
        Matcher range = REPLICAS.matcher(replicas);
        return replicas.isEmpty() || range.matches() && Integer.parseInt(range.group(1)) < nodes;
    }
}
