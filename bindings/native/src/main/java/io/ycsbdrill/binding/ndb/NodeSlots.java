package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.NodeReads.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which API node id reads the copies of which data node: the value of {@value #PROPERTY}. The cluster's configuration puts each of these ids into the same
 * location domain as its data node.
 */
record NodeSlots(String text) {
    static final String PROPERTY = "ndb.read.slots";

    private static final int MOST = 255;

    static boolean isValid(String text) {
        if (!text.matches("(\\d{1,3}:\\d{1,3}(,\\d{1,3}:\\d{1,3})*)?")) {
            return false;
        }
        Set<Integer> numbers = new HashSet<>();
        return text.isEmpty()
                || Stream.of(text.split("[:,]"))
                        .map(Integer::valueOf)
                        .allMatch(number -> number > 0 && number <= MOST && numbers.add(number));
    }

    /** @param connectString of the cluster */
    List<Node> nodes(String connectString) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(","))
                        .map(pair -> pair.split(":"))
                        .map(pair -> new Node(
                                "data node " + pair[0],
                                Map.of(
                                        "ndb.connectstring",
                                        "nodeid=" + pair[1] + "," + connectString.replaceFirst("^nodeid=\\d+[,;]", ""),
                                        "ndb.connections",
                                        "1",
                                        "ndb.table.create",
                                        "false",
                                        "ndb.read.node",
                                        pair[0])))
                        .toList();
    }
}
