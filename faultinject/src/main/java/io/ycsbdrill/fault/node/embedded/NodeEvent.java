package io.ycsbdrill.fault.node.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Io;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One line of a node's event file.
 *
 * @param atNanos {@link System#nanoTime()} of the node, a scale that all processes of one Linux machine share
 * @param wall the same moment by the wall clock
 * @param kind what happened
 * @param fields details, by name
 */
record NodeEvent(long atNanos, Instant wall, Kind kind, Map<String, String> fields) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a node reports. */
    enum Kind {
        /** The process was started; {@code pid}. */
        PROCESS_STARTED,
        /** The node is a member of the cluster; {@code order}: the lowest of all members coordinates; {@code version} of the engine. */
        JOINED,
        /** Local recovery is over. */
        SYNCHRONISE_STARTED,
        /** Everything was copied. */
        WAIT_CHECKPOINT_STARTED,
        /** The node owns its partitions and is primary again. */
        RECOVERED,
        /** Another node has joined; {@code node}, {@code order} of that one. It may not have reported so itself yet. */
        NODE_JOINED,
        /** Another one is gone; {@code node}, {@code order} of that one, {@code topology} without it. */
        NODE_LEFT,
        /**
         * All partitions of a topology have owners, as far as this node is concerned; {@code topology}, and {@code baseline}: the
         * nodes that are to have the data.
         */
        EXCHANGE_DONE,
        /** A step within a phase; {@code text}. */
        STEP,
        /** An orderly stop began. */
        STOPPING
    }

    NodeEvent {
        fields = Map.copyOf(fields);
    }

    String field(String name) {
        return fields.getOrDefault(name, "");
    }

    long number(String name) {
        return Long.parseLong(field(name));
    }

    /** The fields as text, for people. */
    String text() {
        String text = field("text");
        return text.isEmpty() ? new TreeMap<>(fields).toString() : text;
    }

    String toLine() {
        ObjectNode json = JSON.createObjectNode();
        json.put("nanos", atNanos);
        json.put("wall", wall.toString());
        json.put("event", kind.name());
        new TreeMap<>(fields).forEach(json::put);
        return Io.get("writing to memory failed", () -> JSON.writeValueAsString(json) + "\n");
    }

    /** Parses a line; empty when it is damaged, which the end of a killed node's file may be. */
    static Optional<NodeEvent> parse(String line) {
        try {
            JsonNode json = JSON.readTree(line);
            Map<String, String> fields = new TreeMap<>();
            json.properties().forEach(f -> fields.put(f.getKey(), f.getValue().asText()));
            fields.keySet().removeAll(Set.of("nanos", "wall", "event"));
            return Optional.of(new NodeEvent(
                    json.required("nanos").longValue(),
                    Instant.parse(json.required("wall").textValue()),
                    Kind.valueOf(json.required("event").textValue()),
                    fields));
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
