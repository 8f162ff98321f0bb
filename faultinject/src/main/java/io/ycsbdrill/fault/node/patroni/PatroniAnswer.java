package io.ycsbdrill.fault.node.patroni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a node's Patroni says of its PostgreSQL, as read from {@code /patroni}, for which it asks PostgreSQL itself.
 *
 * @param primary whether PostgreSQL takes writes
 * @param timeline 0 when it does not say
 * @param position up to where a primary has written, or a replica has applied
 * @param replicas of a primary, those that stream from it: {@code async}, {@code sync} or {@code quorum} by node
 */
record PatroniAnswer(boolean primary, long timeline, long position, Map<String, String> replicas) {
    private static final ObjectMapper JSON = new ObjectMapper();

    PatroniAnswer {
        replicas = Map.copyOf(replicas);
    }

    /** Empty when PostgreSQL does not run, or the answer is none. */
    static Optional<PatroniAnswer> of(String body) {
        try {
            JsonNode answer = JSON.readTree(body);
            JsonNode log = answer.path("xlog");
            boolean primary = log.has("location");
            if (!primary && !log.has("replayed_location")) {
                return Optional.empty();
            }
            Map<String, String> replicas = new LinkedHashMap<>();
            for (JsonNode row : answer.path("replication")) {
                if (row.path("state").asText().equals("streaming")) {
                    replicas.put(
                            row.path("application_name").asText(),
                            row.path("sync_state").asText());
                }
            }
            return Optional.of(new PatroniAnswer(
                    primary,
                    answer.path("timeline").asLong(),
                    log.path(primary ? "location" : "replayed_location").asLong(),
                    replicas));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether a commit waits for the replica. */
    boolean waitsFor(String node) {
        return replicas.getOrDefault(node, "").matches("sync|quorum");
    }
}
