package io.ycsbdrill.fault.schedule;

import java.util.List;
import java.util.Optional;

/** A piece of a YAML document that knows its line. */
sealed interface YamlNode {

    /** Line of its beginning, from 1. */
    int line();

    /** What it is, for messages. */
    String what();

    /** A single value, as written, without quotes. */
    record Scalar(int line, String text, boolean isNull) implements YamlNode {
        @Override
        public String what() {
            return isNull ? "nothing" : "\"" + text + "\"";
        }
    }

    /** A list. */
    record Sequence(int line, List<YamlNode> items) implements YamlNode {
        @Override
        public String what() {
            return "a list";
        }
    }

    /** Keys and values, in order; a key that is there twice is there twice. */
    record Mapping(int line, List<Entry> entries) implements YamlNode {
        @Override
        public String what() {
            return "keys and values";
        }

        Optional<Entry> entry(String key) {
            return entries.stream().filter(e -> e.key().equals(key)).findFirst();
        }
    }

    /** One key with its value. */
    record Entry(int line, String key, YamlNode value) {}
}
