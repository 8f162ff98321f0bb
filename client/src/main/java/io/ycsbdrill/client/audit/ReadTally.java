package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.client.audit.ReadJudge.Fault;
import io.ycsbdrill.client.audit.ReadJudge.Finding;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What the reads of a run have shown, added up: the part {@code reads} of {@code audit.json}. */
final class ReadTally {
    private static final int MOST_FINDINGS = 100;

    private final Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();
    private long judged;

    private ReadTally() {}

    /** Judges all reads of the keys that the run has written. */
    static ObjectNode of(WriteHistory history, Guarantee guarantee, AuditJson times) {
        ReadTally tally = new ReadTally();
        tally.json.put("strong", guarantee.strong());
        var findings = JsonNodeFactory.instance.arrayNode();
        ReadJudge judge = new ReadJudge(history::mayExist);
        history.keys().forEachRemaining(key -> {
            tally.judged += key.reads().size();
            for (Finding finding : judge.judge(key)) {
                tally.counts.merge(finding.fault(), 1L, Long::sum);
                if (findings.size() < MOST_FINDINGS) {
                    findings.add(json(key.key(), finding, times));
                }
            }
        });
        tally.json.put("judged", tally.judged);
        for (Fault fault : Fault.values()) {
            tally.json.put(name(fault), tally.counts.getOrDefault(fault, 0L));
        }
        return tally.json.set("findings", findings);
    }

    private static ObjectNode json(String key, Finding finding, AuditJson times) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("kind", name(finding.fault()))
                .put("key", key)
                .put("startSeconds", times.seconds(finding.read().startNanos()))
                .put("endSeconds", times.seconds(finding.read().endNanos()))
                .put("found", AuditJson.found(finding.read().found()));
        finding.missed().ifPresent(write -> node.put("missed", WriteId.text(write.id()))
                .put("missedEndSeconds", times.seconds(write.endNanos())));
        return node;
    }

    private static String name(Fault fault) {
        return fault.name().toLowerCase(Locale.ROOT);
    }
}
