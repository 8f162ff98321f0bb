package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.client.audit.CopyJudge.Differs;
import io.ycsbdrill.client.audit.CopyJudge.Judged;
import java.util.List;
import java.util.Optional;

/** Makes the part {@code replicas} of {@code audit.json}; docs/run-directory.md describes it. */
record ReplicaJson(Replicas replicas, ReplicaTally tally, AuditJson audit) {
    ObjectNode of(long startNanos, long endNanos) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("available", replicas.available());
        json.put("agree", agree());
        NodeReads.Nodes known = replicas.nodes();
        if (known.nodes().isEmpty()) {
            json.put("reason", known.reason());
        } else {
            counts(json, known);
            audit.putTimes(json, startNanos, endNanos);
        }
        replicas.problems().forEach(json.putArray("problems")::add);
        differences(json.putArray("differences"), known.nodes());
        return json.put("unlistedDifferences", tally.unlisted());
    }

    private String agree() {
        if (tally.different() > 0) {
            return "no";
        }
        return !replicas.available() || replicas.nodes().nodes().isEmpty() || unreadable() > 0 ? "unknown" : "yes";
    }

    /** Keys of which not every copy was read. */
    private long unreadable() {
        return tally.unreadable() + replicas.keys() - tally.keys();
    }

    private void counts(ObjectNode json, NodeReads.Nodes known) {
        json.put("copies", known.copies())
                .put("keys", replicas.keys())
                .put("different", tally.different())
                .put("unreadable", unreadable())
                .put("late", tally.late());
        ArrayNode nodes = json.putArray("nodes");
        for (int i = 0; i < known.nodes().size(); i++) {
            ReplicaTally.Node node = tally.nodes().get(i);
            // Keys that were given up are unreadable everywhere: their state is unknown.
            long unread = node.unreadable() + replicas.keys() - tally.keys();
            nodes.addObject()
                    .put("node", known.nodes().get(i).name())
                    .put("held", node.held())
                    .put("absent", node.absent())
                    .put("notHeld", node.notHeld())
                    .put("unreadable", unread)
                    .put("findings", node.findings())
                    .put("hash", unread == 0 ? RowHash.text(node.hash()) : null);
        }
    }

    private void differences(ArrayNode differences, List<NodeReads.Node> nodes) {
        for (ReplicaTally.At at : tally.faults()) {
            String node = nodes.get(at.node()).name();
            if (at.fault() instanceof Judged judged) {
                differences.add(audit.finding(at.key(), judged.finding()).put("node", node));
            } else if (at.fault() instanceof Differs differs) {
                ObjectNode json = differences
                        .addObject()
                        .put("kind", "differs")
                        .put("key", at.key())
                        .put("node", node);
                if (!differs.field().isEmpty()) {
                    json.put("field", differs.field());
                }
                json.put("found", text(differs.found())).put("others", text(differs.others()));
            }
        }
        for (ReplicaTally.Miscounted at : tally.miscounted()) {
            differences
                    .addObject()
                    .put("kind", "copies")
                    .put("key", at.key())
                    .put("found", Integer.toString(at.copies()))
                    .put("others", Integer.toString(at.expected()));
        }
    }

    private static String text(Optional<Long> value) {
        return value.map(AuditJson::found).orElse("nothing");
    }
}
