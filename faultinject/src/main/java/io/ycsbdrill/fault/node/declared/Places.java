package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.declared.EngineFile.Group;
import io.ycsbdrill.fault.node.declared.EngineFile.Text;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a cluster, and the templates of its file filled in with where they are. Immutable.
 *
 * @param site where they are
 * @param folder that of the user's file
 * @param nodes ids of the data nodes, in their order
 * @param helpers ids of the helpers, in their order
 */
record Places(EngineFile file, Site site, Path folder, List<String> nodes, List<String> helpers) {
    /** Not {@code ${...}}, which is a shell's. */
    private static final Pattern HOLE = Pattern.compile("(?<!\\$)\\{([a-z][a-z0-9.-]*)}");

    private static final String OTHERS = ".others";
    static final String PORT = "port.";
    static final String START = "start";
    /** What to do about a folder with a character that a shell or a configuration file takes for something else. */
    static final String ADVICE = "move the engine's file, whose templates have {folder}, to one";

    Places {
        nodes = List.copyOf(nodes);
        helpers = List.copyOf(helpers);
    }

    /** Where servers are. */
    interface Site {
        /** What a hole stands for: {@code address}, {@code data}, {@code home}, {@code port.NAME}; of {@code start} which one comes. */
        String value(String id, String hole);
    }

    /**
     * Those of a cluster on this machine.
     *
     * @param ports of all servers, in their order
     */
    static Places here(EngineFile file, DeclaredFiles files, Path folder, List<String> nodes, List<Integer> ports) {
        List<String> helpers = file.helperIds();
        List<String> ids = Stream.concat(nodes.stream(), helpers.stream()).toList();
        Site site = (id, hole) -> switch (hole) {
            case "address" -> IsolatedNetwork.address(files.directory(), id);
            case "data" -> files.data(id).toString();
            case "home" -> files.home(id).toString();
            case START -> Files.exists(files.complete()) ? Text.Kind.START.other : Text.Kind.START.one;
            default -> {
                int before = ids.subList(0, ids.indexOf(id)).stream()
                        .mapToInt(each -> file.group(each).ports().size())
                        .sum();
                String name = hole.substring(PORT.length());
                yield Integer.toString(ports.get(before + file.group(id).ports().indexOf(name)));
            }
        };
        return new Places(file, site, folder, nodes, helpers);
    }

    /** The template filled in for a server. An address of numbers with colons is in [] before a port. */
    String fill(String template, String id) {
        return HOLE.matcher(template).replaceAll(hole -> {
            String value = value(hole.group(1), id);
            boolean beforePort = ("." + hole.group(1)).endsWith(".address") && template.startsWith(":", hole.end());
            return Matcher.quoteReplacement(beforePort && value.contains(":") ? "[" + value + "]" : value);
        });
    }

    private String value(String hole, String id) {
        Text text = file.texts().get(hole.endsWith(OTHERS) ? hole.substring(0, hole.length() - OTHERS.length()) : hole);
        if (text != null) {
            if (text.kind() == Text.Kind.HELPERS
                    && helpers.isEmpty()
                    && file.helpers().isPresent()) {
                throw new IllegalArgumentException("{" + hole + "} needs the helpers of engine " + file.engine()
                        + ": list them as management of the inventory");
            }
            return switch (text.kind()) {
                case NODE -> fill(id.equals(nodes.get(0)) ? text.one() : text.other(), id);
                case START -> fill(site.value(id, START).equals(Text.Kind.START.one) ? text.one() : text.other(), id);
                case NODES, HELPERS ->
                    (text.kind() == Text.Kind.NODES ? nodes : helpers)
                            .stream()
                                    .filter(each -> !hole.endsWith(OTHERS) || !each.equals(id))
                                    .map(each -> fill(text.one(), each))
                                    .collect(Collectors.joining(","));
            };
        }
        return switch (hole) {
            case "node" -> id;
            case "number" -> Integer.toString((helpers.contains(id) ? helpers : nodes).indexOf(id) + 1);
            case "address", "data", "home" -> site.value(id, hole);
            case "folder" -> {
                Directories.requirePlain(folder, ADVICE);
                yield folder.toString();
            }
            default -> {
                int dot = hole.indexOf('.');
                String first = hole.substring(0, dot);
                String rest = hole.substring(dot + 1);
                yield hole.startsWith(PORT)
                        ? site.value(id, hole)
                        : value(rest, named(first)); // node1.address, node1.port.client
            }
        };
    }

    /** The server that the file calls so. */
    private String named(String id) {
        int helper = file.helperIds().indexOf(id);
        if (helper >= helpers.size()) {
            throw new IllegalArgumentException("there is no " + id + "; there are " + helpers.size());
        }
        return helper < 0 ? nodes.get(0) : helpers.get(helper);
    }

    /** The first hole of a text that is another text, or the same: they would be filled in without end. */
    static Optional<String> text(String template, EngineFile file) {
        return HOLE.matcher(template)
                .results()
                .map(hole -> hole.group(1))
                .filter(hole -> file.texts().containsKey(hole.replaceFirst("\\.others$", "")))
                .findFirst();
    }

    /** The first hole of a template that nothing fills for servers of that group; empty when all are known. */
    static Optional<String> unknown(String template, EngineFile file, Group group) {
        return HOLE.matcher(template)
                .results()
                .map(hole -> hole.group(1))
                .filter(hole -> !isKnown(hole, file, group, true))
                .findFirst();
    }

    private static boolean isKnown(String hole, EngineFile file, Group group, boolean direct) {
        int dot = hole.indexOf('.');
        if (direct && file.texts().containsKey(hole)
                || List.of("node", "number", "address", "data", "home", "folder")
                        .contains(hole)) {
            return true;
        }
        if (dot < 0) {
            return false;
        }
        String first = hole.substring(0, dot);
        String rest = hole.substring(dot + 1);
        Text text = file.texts().get(first);
        if (text != null) {
            return text.kind().isList() && ("." + rest).equals(OTHERS);
        }
        if (first.equals("port")) {
            return group.ports().contains(rest);
        }
        // Of an id only what it is sure to have: the number of data nodes is an option.
        Optional<Group> other = first.equals(file.nodes().prefix() + 1)
                ? Optional.of(file.nodes())
                : file.helpers().filter(helpers -> file.helperIds().contains(first));
        return direct && other.isPresent() && isKnown(rest, file, other.get(), false);
    }
}
