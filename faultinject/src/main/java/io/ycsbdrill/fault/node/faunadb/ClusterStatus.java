package io.ycsbdrill.fault.node.faunadb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a node says of all nodes, as read from {@code /admin/status}.
 *
 * @param members by node
 */
record ClusterStatus(Map<String, Member> members) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Ownership is a sum of fractions. */
    private static final double ROUNDING = 1e-6;

    /**
     * One node.
     *
     * @param host its id
     * @param up whether the asked node reaches it
     * @param owner whether it is to own data, and owns all of that
     * @param leader whether it leads the log's first segment
     */
    record Member(String host, boolean up, boolean owner, boolean leader) {}

    ClusterStatus {
        members = Map.copyOf(members);
    }

    /** Empty when the answer has no nodes: a new one is in no cluster yet. */
    static Optional<ClusterStatus> of(String answer) {
        try {
            Map<String, Member> members = new LinkedHashMap<>();
            for (JsonNode node : JSON.readTree(answer).path("nodes")) {
                double goal = node.path("ownership_goal").asDouble();
                boolean live = node.path("state").asText().equals("live");
                members.put(
                        "node" + node.path("address").asText().replaceAll(".*\\.", ""),
                        new Member(
                                node.path("host_id").asText(),
                                node.path("status").asText().equals("up"),
                                live && goal > 0 && node.path("ownership").asDouble() >= goal - ROUNDING,
                                node.path("log_segment").asText().equals("0")
                                        && node.path("log_segment_leader").asBoolean()));
            }
            return members.isEmpty() ? Optional.empty() : Optional.of(new ClusterStatus(members));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
