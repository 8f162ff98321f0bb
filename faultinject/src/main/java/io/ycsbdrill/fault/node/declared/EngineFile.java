package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An engine as a file describes it; {@code docs/new-engine.md} has the keys. Immutable.
 *
 * @param engine its name as typed
 * @param title its name for people
 * @param source the file's text, which a cluster keeps a copy of
 * @param programs names of its programs, at least one
 * @param version the command that prints its version; empty when there is none
 * @param nodes the data nodes
 * @param helpers servers without data; empty when there are none
 * @param texts what templates insert, by name
 * @param primary the node that is primary at first; empty when the logs say so
 * @param initialise script before a node of a cluster that is complete starts without data; empty when there is nothing to do
 * @param bindings per binding, or class of one, the properties that reach a cluster
 */
record EngineFile(
        String engine,
        String title,
        String source,
        List<String> programs,
        List<String> version,
        Group nodes,
        Optional<Group> helpers,
        Map<String, Text> texts,
        Optional<String> primary,
        Optional<String> initialise,
        Map<String, Map<String, String>> bindings) {
    EngineFile {
        programs = List.copyOf(programs);
        version = List.copyOf(version);
        texts = Map.copyOf(texts);
        bindings = Map.copyOf(bindings);
    }

    /**
     * Servers that are run in the same way.
     *
     * @param prefix of their ids: {@code node} for {@code node1}, {@code node2}, ...
     * @param count how many there are, unless an option says otherwise
     * @param ports names of the ports that each has, at least one
     * @param files those that are written once into the folder of each, by name
     * @param command the server
     * @param log what it prints; empty when that says nothing
     */
    record Group(
            String prefix,
            int count,
            List<String> ports,
            Map<String, String> files,
            List<String> command,
            Probe probe,
            Optional<LogLines> log) {
        Group {
            ports = List.copyOf(ports);
            files = Map.copyOf(files);
            command = List.copyOf(command);
        }

        /** Ids of so many of them. */
        List<String> ids(int number) {
            return Stream.iterate(1, i -> i + 1)
                    .limit(number)
                    .map(i -> prefix + i)
                    .toList();
        }
    }

    /** What a template inserts: one of two texts, or one for all data nodes. */
    record Text(Kind kind, String one, String other) {
        /** What a text depends on; the words are keys of the file. */
        enum Kind {
            /** The first data node, or any other. */
            NODE("first", "others"),
            /** The start that makes the cluster, or any later one. */
            START("create", "later"),
            /** A text for each data node, with commas between them. */
            NODES("each", ""),
            /** The same for each helper. */
            HELPERS("each-helper", "");

            final String one;
            final String other;

            Kind(String one, String other) {
                this.one = one;
                this.other = other;
            }

            boolean isList() {
                return other.isEmpty();
            }
        }
    }

    /**
     * @throws IllegalArgumentException with everything that is wrong in the file, one problem a line
     */
    static EngineFile read(Path file) {
        String text = Io.get(
                "engine file " + file + " cannot be read",
                IllegalArgumentException::new,
                () -> InputFile.text(file, InputFile.Kind.SETTINGS));
        return EngineFileReader.read(file.toString(), text);
    }

    /** The helpers' ids, in their order. */
    List<String> helperIds() {
        return helpers.map(group -> group.ids(group.count())).orElse(List.of());
    }

    /** The group of a server. */
    Group group(String id) {
        return helperIds().contains(id) ? helpers.orElseThrow() : nodes;
    }

    /** The name of the variable that says where its programs are. */
    String variable() {
        return engine.toUpperCase(Locale.ROOT).replace('-', '_') + "_HOME";
    }

    /** Whether the file says at all who is primary: engines without one have nodes that are all the same. */
    boolean hasPrimary() {
        return primary.isPresent()
                || Stream.concat(Stream.of(nodes), helpers.stream())
                        .flatMap(group -> group.log().stream())
                        .flatMap(log -> log.rules().stream())
                        .anyMatch(rule -> rule.meaning() == LogLines.Meaning.PRIMARY);
    }

    /** All that is looked for in what servers say. */
    List<Words> words() {
        return Stream.concat(Stream.of(nodes), helpers.stream())
                .flatMap(group -> Stream.concat(
                        group.probe().words(), group.log().stream().flatMap(LogLines::words)))
                .toList();
    }

    /** The templates of the file's bindings, filled in. */
    Map<String, Map<String, String>> bindings(Places places) {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        bindings.forEach((binding, properties) -> {
            Map<String, String> filled = new LinkedHashMap<>();
            properties.forEach((name, value) -> filled.put(name, places.fill(value, nodes.prefix() + 1)));
            all.put(binding, filled);
        });
        return all;
    }
}
