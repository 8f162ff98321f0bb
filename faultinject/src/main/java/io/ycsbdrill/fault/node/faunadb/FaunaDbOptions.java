package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import java.util.List;

/**
 * The shape of a local cluster.
 *
 * @param nodes number of nodes
 * @param replicas 1, or as many as nodes
 * @param heap of each node's JVM, for example {@code 1G}
 * @param home installation; empty to search for one
 */
record FaunaDbOptions(int nodes, int replicas, String heap, String home) {
    static final List<Option> OWN = List.of(
            new Option("nodes", "3", "number of nodes, 1 to 7"),
            new Option(
                    "replicas",
                    "3",
                    "the number of nodes, the default of 3 or more: each node has all rows; or 1: each row is on"
                            + " one node only, so the loss of a node stops the cluster"),
            new Option("heap", "1G", "JVM heap of each node, for example 512M or 2G, at least 512M"),
            FaunaDbHome.PLACES.option());

    static FaunaDbOptions read(OptionReader reader) {
        int nodes = reader.number("nodes", 1, 7);
        int usual = nodes < 3 ? 1 : nodes;
        FaunaDbOptions options = new FaunaDbOptions(
                nodes,
                reader.given("replicas") ? reader.number("replicas", 1, 7) : usual,
                reader.size("heap", 512),
                reader.text(FaunaDbHome.PLACES.option().name()));
        if (options.replicas > 1 && (options.replicas != options.nodes || options.replicas < 3)) {
            reader.problem(
                    "--replicas " + options.replicas + ": expected 1, or the number of nodes when it is 3 or more"
                            + " (--nodes is " + options.nodes + ")");
        }
        return options;
    }
}
