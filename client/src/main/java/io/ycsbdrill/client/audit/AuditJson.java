package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.KeyJudge.Finding;
import io.ycsbdrill.client.audit.KeyJudge.Lost;
import io.ycsbdrill.client.audit.KeyJudge.Phantom;
import io.ycsbdrill.client.audit.KeyJudge.Resolution;
import io.ycsbdrill.client.audit.ledger.Ledger;
import io.ycsbdrill.client.audit.ledger.Stamp;
import io.ycsbdrill.client.audit.ledger.Write;
import io.ycsbdrill.client.audit.ledger.WriteId;
import java.util.Locale;

/** Makes {@code audit.json}; docs/run-directory.md describes it. */
final class AuditJson {
    private static final int SCHEMA = 1;

    private final Ledger ledger;
    private final Tally tally;
    private final ReadBack readBack;
    private final long originNanos;

    AuditJson(Ledger ledger, Tally tally, ReadBack readBack, long originNanos) {
        this.ledger = ledger;
        this.tally = tally;
        this.readBack = readBack;
        this.originNanos = originNanos;
    }

    /** @param counts writes by ordinal of their outcome */
    ObjectNode of(long[] counts, long startNanos, long endNanos, int threads) {
        ObjectNode audit = JsonNodeFactory.instance.objectNode().put("schema", SCHEMA);
        audit.put("ackedLost", tally.ackedLost());
        ObjectNode lost = audit.putObject("lost");
        for (Write.Kind kind : Write.Kind.values()) {
            lost.put(name(kind), tally.lost(kind));
        }
        audit.put("phantoms", tally.phantoms()).put("staleReads", tally.staleReads());
        audit.putObject("unknown")
                .put("applied", tally.resolved(Resolution.APPLIED))
                .put("notApplied", tally.resolved(Resolution.NOT_APPLIED))
                .put("overwritten", tally.resolved(Resolution.OVERWRITTEN))
                .put("unresolved", counts[Outcome.UNKNOWN.ordinal()] - tally.resolved());
        audit.putObject("writes")
                .put("ok", counts[Outcome.OK.ordinal()])
                .put("failed", counts[Outcome.FAILED.ordinal()])
                .put("unknown", counts[Outcome.UNKNOWN.ordinal()])
                .put("notAudited", ledger.dropped());
        long keys = readBack.keys();
        audit.putObject("keys")
                .put("touched", keys)
                .put("judged", tally.judged())
                .put("notAudited", tally.keysNotAudited())
                .put("unreadable", keys - tally.judged() - tally.keysNotAudited());
        ObjectNode memory = audit.putObject("memory")
                .put("bytes", ledger.memory().bytes())
                .put("limitBytes", ledger.memory().limitBytes());
        if (keys > 0) {
            memory.put("bytesPerKey", Math.round(10.0 * ledger.memory().bytes() / keys) / 10.0);
        }
        audit.putObject("readBack")
                .put("startSeconds", seconds(startNanos))
                .put("endSeconds", seconds(endNanos))
                .put("threads", threads);
        readBack.problems().forEach(audit.putArray("problems")::add);
        tally.findings().forEach(at -> audit.withArray("findings").add(finding(at.key(), at.finding())));
        audit.put(
                "unlistedFindings",
                tally.ackedLost() + tally.phantoms() - tally.findings().size());
        return audit;
    }

    ObjectNode finding(String key, Finding finding) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (finding instanceof Lost lost) {
            Write write = ledger.timed(lost.write());
            node.put("kind", "lost-" + name(write.kind())).put("key", key);
            if (!lost.field().isEmpty()) {
                node.put("field", lost.field());
            }
            node.put("write", WriteId.text(write.id()))
                    .put("startSeconds", seconds(write.startNanos()))
                    .put("endSeconds", seconds(write.endNanos()))
                    .put("found", lost.found().map(AuditJson::found).orElse("nothing"));
        } else if (finding instanceof Phantom phantom) {
            node.put("kind", "phantom")
                    .put("key", key)
                    .put("field", phantom.field())
                    .put("found", found(phantom.found()));
        }
        return node;
    }

    static String found(long id) {
        return id == Stamp.OTHER
                ? "a value from before the run"
                : id == Stamp.DAMAGED ? "a damaged value" : WriteId.text(id);
    }

    private static String name(Write.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    double seconds(long nanos) {
        return Math.round((nanos - originNanos) / 1e3) / 1e6;
    }
}
