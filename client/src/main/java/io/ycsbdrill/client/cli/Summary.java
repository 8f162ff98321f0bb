package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.FileReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The few figures of {@code summary.json} that decide about a command's end. */
final class Summary {
    private final JsonNode json;

    private Summary(JsonNode json) {
        this.json = json;
    }

    static Summary of(Path runDirectory) {
        Path file = runDirectory.resolve("summary.json");
        try {
            return new Summary(new ObjectMapper().readTree(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException("summary " + file + " cannot be read: " + FileReason.of(e), e);
        }
    }

    double seconds() {
        return json.path("durationSeconds").asDouble();
    }

    /** Successful operations of all kinds. */
    long ok() {
        return sum("ok");
    }

    /** Operations that failed or are unknown. */
    long notOk() {
        return sum("failed") + sum("unknown");
    }

    /** Attempts after the first, of all operations. */
    long retries() {
        return sum("retries");
    }

    /** Operations that needed more than one attempt. */
    long retriedOperations() {
        return sum("retriedOperations");
    }

    /** Connections that broke, on any server. */
    long lostConnections() {
        return sumOfServers("lost");
    }

    /** How many of them were replaced by a new one. */
    long regainedConnections() {
        return sumOfServers("regained");
    }

    /** The longest time that a thread was without a connection. */
    double longestSecondsWithout() {
        double longest = 0;
        for (JsonNode server : servers()) {
            longest = Math.max(longest, server.path("longestSecondsWithout").asDouble());
        }
        return longest;
    }

    private long sumOfServers(String field) {
        long sum = 0;
        for (JsonNode server : servers()) {
            sum += server.path(field).asLong();
        }
        return sum;
    }

    private JsonNode servers() {
        return json.path("connections").path("servers");
    }

    private long sum(String outcome) {
        long sum = 0;
        for (JsonNode operation : json.path("operations")) {
            sum += operation.path(outcome).asLong();
        }
        return sum;
    }

    /** Records of a load that are not known to be in the table. */
    long notLoaded() {
        JsonNode load = json.path("load");
        return load.path("insertCount").asLong() - load.path("inserted").asLong();
    }
}
