package io.ycsbdrill.client.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.FileReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The few figures of {@code summary.json} that decide about a command's end. */
public final class StoredSummary {
    private final JsonNode json;

    private StoredSummary(JsonNode json) {
        this.json = json;
    }

    public static StoredSummary of(Path runDirectory) {
        Path file = runDirectory.resolve("summary.json");
        try {
            return new StoredSummary(new ObjectMapper().readTree(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException("summary " + file + " cannot be read: " + FileReason.of(e), e);
        }
    }

    public double seconds() {
        return json.path("durationSeconds").asDouble();
    }

    /** Successful operations of all kinds. */
    public long ok() {
        return sum("ok");
    }

    /** Operations that failed or are unknown. */
    public long notOk() {
        return sum("failed") + sum("unknown");
    }

    /** Attempts after the first, of all operations. */
    public long retries() {
        return sum("retries");
    }

    /** Operations that needed more than one attempt. */
    public long retriedOperations() {
        return sum("retriedOperations");
    }

    /** Connections that broke, on any server. */
    public long lostConnections() {
        return sumOfServers("lost");
    }

    /** How many of them were replaced by a new one. */
    public long regainedConnections() {
        return sumOfServers("regained");
    }

    /** The longest time that a thread was without a connection. */
    public double longestSecondsWithout() {
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
    public long notLoaded() {
        JsonNode load = json.path("load");
        return load.path("insertCount").asLong() - load.path("inserted").asLong();
    }
}
