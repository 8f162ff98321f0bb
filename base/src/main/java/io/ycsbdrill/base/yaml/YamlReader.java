package io.ycsbdrill.base.yaml;

import java.io.StringReader;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads one YAML document as SnakeYAML's nodes, which know their lines and keep duplicate keys for the caller to find.
 * Aliases are rejected before anything is expanded; SnakeYAML's own bounds hold: 3 MiB of text, 50 levels.
 */
public final class YamlReader {

    private YamlReader() {}

    /**
     * The document; empty when there is none, or it is not YAML, which is then among the problems.
     *
     * @param problems notified of what is wrong
     */
    public static Optional<Node> read(String text, LineProblems problems) {
        Yaml yaml = new Yaml();
        try {
            int documents = 0;
            for (Event event : yaml.parse(new StringReader(text))) {
                if (event instanceof AliasEvent) {
                    problems.add(line(event.getStartMark()), "aliases (*name) are not supported; write it out");
                } else if (event instanceof DocumentStartEvent && ++documents == 2) {
                    problems.add(line(event.getStartMark()), "a second document; such a file has one");
                }
            }
            if (problems.any()) {
                return Optional.empty();
            }
            Iterator<Node> nodes = yaml.composeAll(new StringReader(text)).iterator();
            if (nodes.hasNext()) {
                return Optional.of(nodes.next());
            }
            problems.add(1, "the file is empty");
        } catch (YAMLException e) {
            Mark mark = e instanceof MarkedYAMLException marked ? marked.getProblemMark() : null;
            problems.add(mark == null ? 1 : line(mark), "not YAML: " + brief(e.getMessage()));
        }
        return Optional.empty();
    }

    /** What it was doing and what it met; not where, which is in lines that begin with a blank, and in ours. */
    private static String brief(String message) {
        return message.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining(": "));
    }

    /** Line of its beginning, from 1. */
    public static int line(Node node) {
        return line(node.getStartMark());
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    /** A single value as written, without quotes; empty for anything else, and for nothing at all. */
    public static Optional<String> text(Node node) {
        return node instanceof ScalarNode s && !s.getTag().equals(Tag.NULL)
                ? Optional.of(s.getValue())
                : Optional.empty();
    }

    /** What it is, for messages. */
    public static String what(Node node) {
        if (node instanceof ScalarNode) {
            return text(node).map(text -> "\"" + text + "\"").orElse("nothing");
        }
        return node instanceof MappingNode ? "keys and values" : "a list";
    }
}
