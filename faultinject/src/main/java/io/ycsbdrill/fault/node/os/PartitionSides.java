package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which links of a cluster are cut or bad, noted in files beside its network, so that every process of the cluster can tell on which side of a
 * partition a node is. Immutable.
 *
 * @param folder of the network
 */
public record PartitionSides(Path folder) {

    private Path noted(String node) {
        return folder.resolve(node + ".cut");
    }

    boolean isNoted(String node) {
        return Files.exists(noted(node));
    }

    /** Notes what is cut of a node, or may be, before it is. */
    void note(String node, LinkCut cut) {
        String pairs = Stream.concat(cut.to().stream(), cut.from().stream())
                .distinct()
                .map(other -> node + " " + other + "\n")
                .collect(Collectors.joining());
        NodeIo.run("links cannot be cut", () -> AtomicFile.write(noted(node), pairs));
    }

    /** Forgets it, after the links were mended. */
    void forget(String node) {
        NodeIo.run(
                "the links of " + node + " are mended, but " + noted(node) + " cannot be removed",
                () -> Files.deleteIfExists(noted(node)));
    }

    /** {@link #aside} of a cluster's node; false when the cluster has no network of its own. */
    public static boolean aside(Path cluster, String node, List<String> members) {
        return IsolatedNetwork.of(cluster)
                .map(network -> new PartitionSides(network.folder()).aside(network.nodes(), node, members))
                .orElse(false);
    }

    /**
     * Whether the node is now on the smaller side of a partition: what it says of the others is not what the cluster says. Of sides of
     * the same size, the one with the first node is not the smaller. False while all nodes are connected, be it by others.
     *
     * @param nodes whose links may be cut
     * @param members those that belong to the cluster, in their order: a spare node, whose links nobody cuts, connects nothing
     */
    private boolean aside(List<String> nodes, String node, List<String> members) {
        Set<String> cut = new HashSet<>();
        for (String each : nodes) {
            try {
                if (Files.exists(noted(each))) {
                    cut.addAll(Files.readAllLines(noted(each)));
                }
            } catch (IOException e) {
                cut.removeIf(pair -> pair.startsWith(each + " ")); // mended meanwhile
            }
        }
        if (cut.isEmpty()) {
            return false;
        }
        List<Set<String>> sides = new ArrayList<>();
        for (String each : members) {
            if (sides.stream().noneMatch(side -> side.contains(each))) {
                sides.add(side(each, members, cut));
            }
        }
        int largest = sides.stream().mapToInt(Set::size).max().orElse(0);
        Set<String> main = sides.stream()
                .filter(side -> side.size() == largest)
                .findFirst()
                .orElseThrow();
        return !main.contains(node);
    }

    /** Whoever the node reaches and is reached by, be it through others. */
    private static Set<String> side(String node, List<String> members, Set<String> cut) {
        Set<String> side = new LinkedHashSet<>(List.of(node));
        for (List<String> open = new ArrayList<>(side); !open.isEmpty(); ) {
            String from = open.remove(0);
            members.stream()
                    .filter(to -> !cut.contains(from + " " + to) && !cut.contains(to + " " + from))
                    .filter(side::add)
                    .forEach(open::add);
        }
        return side;
    }
}
