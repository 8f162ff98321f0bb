package io.ycsbdrill.fault.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads one YAML document with lines, keeping duplicate keys for the caller to find. */
final class YamlReader {
    private final YAMLParser parser;
    private final Problems problems;

    private YamlReader(YAMLParser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** The document; empty when there is none, or it is not YAML, which is then among the problems. */
    static Optional<YamlNode> read(String text, Problems problems) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            if (parser.nextToken() == null) {
                problems.add(1, "the file is empty");
                return Optional.empty();
            }
            YamlNode root = new YamlReader(parser, problems).node();
            if (parser.nextToken() != null) {
                problems.add(parser.currentTokenLocation().getLineNr(), "a second document; a drill file has one");
            }
            return Optional.of(root);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            problems.add(line, "not YAML: " + brief(e.getOriginalMessage()));
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
    }

    /** What it was doing and what it met; not where, which is in lines that begin with a blank, and in ours. */
    private static String brief(String message) {
        return message.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining(": "));
    }

    private YamlNode node() throws IOException {
        int line = line();
        if (parser.isCurrentAlias()) {
            problems.add(line, "aliases (*name) are not supported; write it out");
            return new YamlNode.Scalar(line, "", true);
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line);
            case START_ARRAY -> sequence(line);
            case VALUE_NULL -> new YamlNode.Scalar(line, "", true);
            default -> new YamlNode.Scalar(line, parser.getText(), false);
        };
    }

    private YamlNode mapping(int line) throws IOException {
        List<YamlNode.Entry> entries = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int keyLine = line();
            String key = parser.currentName();
            parser.nextToken();
            entries.add(new YamlNode.Entry(keyLine, key, node()));
        }
        return new YamlNode.Mapping(line, List.copyOf(entries));
    }

    private YamlNode sequence(int line) throws IOException {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        return new YamlNode.Sequence(line, List.copyOf(items));
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }
}
