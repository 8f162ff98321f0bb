package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import java.util.ArrayList;
import java.util.List;

/**
 * What each node of the cluster has of the written keys: the part {@code replicas} of {@code audit.json}.
 *
 * @param json that part; a missing node in a file of an earlier version
 */
public record ReplicaData(JsonNode json) {

    /** Whether the nodes could be read one by one. */
    public boolean there() {
        return json.path("available").asBoolean(false);
    }

    /** Whether the copies of some key are not all equal, or there are more or fewer than there should be. */
    public boolean differ() {
        return count("different") > 0;
    }

    /** Whether every copy of every key was read and all are equal, be they right or wrong. */
    boolean equal() {
        return json.path("agree").asText().equals("yes") && !differ();
    }

    /** Whether the copies differ, or show values that no user may see. */
    boolean wrong() {
        return differ() || findings() > 0;
    }

    /** Whether all copies of all keys were read and are equal, or the engine's nodes cannot be read one by one. */
    boolean isClean() {
        return !there() || !wrong() && equal();
    }

    /** The result in one sentence. */
    String verdict() {
        if (wrong()) {
            return (differ()
                            ? Formatted.of(
                                    "replicas differ in %,d of %,d {key|keys}", count("different"), count("keys"))
                            : "replicas agree, but are wrong")
                    + wrongCopies()
                    + (count("unreadable") > 0 ? "; " + unreadable() : "");
        }
        if (json.path("agree").asText().equals("yes")) {
            return Formatted.of(
                    "replicas agree: %,d {node|nodes}, %,d {copy|copies} of each of %,d {key|keys}%s",
                    json.path("nodes").size(), count("copies"), count("keys"), hash());
        }
        return "it is not known whether the replicas agree: "
                + (json.path("nodes").isEmpty()
                        ? json.path("reason").asText("?") + AuditData.problems(json)
                        : unreadable());
    }

    private String unreadable() {
        return Formatted.of("copies of %,d {key|keys} could not be read", count("unreadable"))
                + AuditData.problems(json);
    }

    private String wrongCopies() {
        List<String> nodes = new ArrayList<>();
        for (JsonNode node : json.path("nodes")) {
            if (node.path("findings").asLong() > 0) {
                nodes.add(Formatted.of(
                        "%s has %,d",
                        node.path("node").asText("?"), node.path("findings").asLong()));
            }
        }
        return nodes.isEmpty() ? "" : "; wrong copies: " + String.join(", ", nodes);
    }

    /** The lines about replicas; empty when the file has none. */
    List<String> lines() {
        if (json.isMissingNode()) {
            return List.of();
        }
        return List.of(
                there()
                        ? verdict()
                        : "replicas not compared: " + json.path("reason").asText("?"));
    }

    /** Each node and its figures: name, rows, absent, not held, unreadable, findings, hash. */
    public List<List<String>> nodes() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode node : json.path("nodes")) {
            List<String> row = new ArrayList<>(List.of(node.path("node").asText("?")));
            for (String figure : List.of("held", "absent", "notHeld", "unreadable", "findings")) {
                row.add(Formatted.of("%,d", node.path(figure).asLong()));
            }
            row.add(node.path("hash").asText("").replaceAll("(?<=.{16}).+", "…"));
            rows.add(row);
        }
        return rows;
    }

    /** The differences that the file lists: node, kind, key, field, write, time, found, others. */
    public List<List<String>> differences(int most) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode difference : json.path("differences")) {
            if (rows.size() < most) {
                List<String> row =
                        new ArrayList<>(List.of(difference.path("node").asText("")));
                row.addAll(AuditData.row(difference));
                row.add(difference.path("others").asText(""));
                rows.add(row);
            }
        }
        return rows;
    }

    private long findings() {
        long findings = 0;
        for (JsonNode node : json.path("nodes")) {
            findings += node.path("findings").asLong();
        }
        return findings;
    }

    /** The content hash, which is the same on all nodes when each has all rows. */
    private String hash() {
        List<String> hashes = new ArrayList<>();
        json.path("nodes").forEach(node -> hashes.add(node.path("hash").asText("")));
        return hashes.stream().distinct().count() == 1 && !hashes.get(0).isEmpty()
                ? ", content hash " + hashes.get(0).substring(0, 16) + "… on each"
                : "";
    }

    private long count(String name) {
        return json.path(name).asLong();
    }
}
