package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.AtomicFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The zones of a local cluster's nodes, kept in its directory: a name for drills only, as all nodes are on one machine. Stateless. */
public final class Zones {
    /** What a zone may be called. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:][A-Za-z0-9._:-]*");

    private static final String FILE = "zones";

    private Zones() {}

    /**
     * The names in a list.
     *
     * @throws IllegalArgumentException when one of them is none
     */
    public static List<String> parse(String list) {
        List<String> names = List.of(list.split(",", -1));
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("--zones " + list + ": \"" + name
                        + "\" is no zone; expected names of letters, digits and . _ : - as in a,b,c");
            }
        }
        return names;
    }

    /**
     * Gives them to a cluster: the first node is in the first zone, and so on; after the last zone comes the first.
     *
     * @param nodes of the cluster and its spare ones, in order: a node keeps its zone when others come and go
     */
    public static void write(Path directory, List<NodeInfo> nodes, List<String> names) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            lines.append(nodes.get(i).id())
                    .append('=')
                    .append(names.get(i % names.size()))
                    .append('\n');
        }
        NodeIo.run(
                "the zones cannot be recorded in " + directory,
                () -> AtomicFile.write(directory.resolve(FILE), lines.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** By node. Empty when it has none. */
    static Map<String, String> of(Path directory) {
        Path file = directory.resolve(FILE);
        List<String> lines = NodeIo.get(
                "the zones in " + file + " cannot be read",
                () -> Files.notExists(file) ? List.of() : Files.readAllLines(file));
        Map<String, String> zones = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split("=", 2);
            if (parts.length < 2 || !NAME.matcher(parts[1]).matches()) {
                throw new NodeControlException(
                        file + " is damaged: \"" + line + "\"; expected a node and its zone: node1=a");
            }
            zones.put(parts[0], parts[1]);
        }
        return zones;
    }
}
