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
 * Where the servers of a cluster are, and the templates of its file filled in with that. Immutable.
 *
 * @param folder that of the user's file
 * @param nodes ids of the data nodes, in their order
 * @param ports those of all servers, in their order
 */
record Places(EngineFile file, DeclaredFiles files, Path folder, List<String> nodes, List<Integer> ports) {
    /** Not {@code ${...}}, which is a shell's. */
    private static final Pattern HOLE = Pattern.compile("(?<!\\$)\\{([a-z][a-z0-9.-]*)}");

    private static final String OTHERS = ".others";
    /** What to do about a folder with a character that a shell or a configuration file takes for something else. */
    static final String ADVICE = "move the engine's file, whose templates have {folder}, to one";

    Places {
        nodes = List.copyOf(nodes);
        ports = List.copyOf(ports);
    }

    private int port(String id, String name) {
        int first = 0;
        for (String each :
                Stream.concat(nodes.stream(), file.helperIds().stream()).toList()) {
            List<String> own = file.group(each).ports();
            if (each.equals(id)) {
                return ports.get(first + own.indexOf(name));
            }
            first += own.size();
        }
        throw new IllegalArgumentException(id);
    }

    /** The template filled in for a server. */
    String fill(String template, String id) {
        return HOLE.matcher(template).replaceAll(hole -> Matcher.quoteReplacement(value(hole.group(1), id)));
    }

    private String value(String hole, String id) {
        Text text = file.texts().get(hole.endsWith(OTHERS) ? hole.substring(0, hole.length() - OTHERS.length()) : hole);
        if (text != null) {
            return switch (text.kind()) {
                case NODE -> fill(id.equals(nodes.get(0)) ? text.one() : text.other(), id);
                case START -> fill(Files.exists(files.complete()) ? text.other() : text.one(), id);
                case NODES, HELPERS ->
                    (text.kind() == Text.Kind.NODES ? nodes : file.helperIds())
                            .stream()
                                    .filter(each -> !hole.endsWith(OTHERS) || !each.equals(id))
                                    .map(each -> fill(text.one(), each))
                                    .collect(Collectors.joining(","));
            };
        }
        return switch (hole) {
            case "node" -> id;
            case "number" -> id.substring(file.group(id).prefix().length());
            case "address" -> IsolatedNetwork.address(files.directory(), id);
            case "data" -> files.data(id).toString();
            case "home" -> files.home(id).toString();
            case "folder" -> {
                Directories.requirePlain(folder, ADVICE);
                yield folder.toString();
            }
            default -> {
                int dot = hole.indexOf('.');
                String first = hole.substring(0, dot);
                String rest = hole.substring(dot + 1);
                yield first.equals("port")
                        ? Integer.toString(port(id, rest))
                        : value(rest, first); // node1.address, node1.port.client
            }
        };
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
