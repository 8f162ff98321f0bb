package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.client.audit.ReadJudge.Fault;
import io.ycsbdrill.client.audit.ReadJudge.Finding;
import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the reads of a run have shown, added up: the part {@code reads} of {@code audit.json}. Thread-safe; its iterator is used by one thread at a time. */
final class ReadTally {
    private static final int MOST_FINDINGS = 100;

    private record At(String key, Finding finding) {}

    private final ReadJudge judge;
    private final Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    private final List<At> findings = new ArrayList<>();
    private long judged;
    private long rolledBack;
    private long oldestRolledBack = Long.MAX_VALUE;
    private long partly;

    ReadTally(ReadJudge judge) {
        this.judge = judge;
    }

    /** The same keys, the reads of each judged when it is handed out. */
    Iterator<KeyHistory> judging(Iterator<KeyWrites> keys) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return keys.hasNext();
            }

            @Override
            public KeyHistory next() {
                return judge(keys.next());
            }
        };
    }

    /** Judges the reads of a key that the run did not write. */
    void onlyRead(String key, List<Read> reads) {
        judge(new KeyWrites(key, List.of(), reads));
    }

    private KeyHistory judge(KeyWrites key) {
        ReadJudge.Judged read = judge.judge(key);
        add(key, read);
        return read.history();
    }

    /** The row of a key that was not counted yet could be judged only partly at the read-back. */
    synchronized void partlyReadBack() {
        partly++;
    }

    private synchronized void add(KeyWrites key, ReadJudge.Judged read) {
        judged += judge.judges(key);
        List<Write> taken = key.all().stream().filter(Write::rolledBack).toList();
        rolledBack += taken.stream().mapToLong(Write::id).distinct().count();
        taken.forEach(write -> oldestRolledBack = Math.min(oldestRolledBack, write.startNanos()));
        partly += read.partly() ? 1 : 0;
        for (Finding finding : read.findings()) {
            counts.merge(finding.fault(), 1L, Long::sum);
            if (findings.size() < MOST_FINDINGS) {
                findings.add(new At(key.key(), finding));
            }
        }
    }

    /** Writes that were acknowledged after the backup and before the loss. */
    synchronized long rolledBack() {
        return rolledBack;
    }

    /** When the first of these began, perhaps before the backup was asked for; {@link Long#MAX_VALUE} without any. */
    synchronized long oldestRolledBack() {
        return oldestRolledBack;
    }

    synchronized ObjectNode json(Guarantee guarantee, AuditJson times) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("strong", guarantee.strong())
                .put("judged", judged)
                .put("partlyJudgedRows", partly);
        for (Fault fault : Fault.values()) {
            json.put(name(fault), counts.getOrDefault(fault, 0L));
        }
        ArrayNode listed = json.putArray("findings");
        findings.forEach(at -> listed.add(json(at.key, at.finding, times)));
        return json;
    }

    private static ObjectNode json(String key, Finding finding, AuditJson times) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("kind", name(finding.fault()))
                .put("key", key)
                .put("startSeconds", times.seconds(finding.read().startNanos()))
                .put("endSeconds", times.seconds(finding.read().endNanos()))
                .put(
                        "found",
                        finding.read().field() == Write.ROW
                                ? "nothing"
                                : AuditJson.found(finding.read().found()));
        finding.missed().ifPresent(write -> {
            node.put("missed", WriteId.text(write.id()));
            if (write.acknowledged()) {
                node.put("missedEndSeconds", times.seconds(write.endNanos()));
            }
        });
        return node;
    }

    private static String name(Fault fault) {
        return fault.name().toLowerCase(Locale.ROOT);
    }
}
