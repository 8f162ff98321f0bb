package io.ycsbdrill.client.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.KeyJudge.Finding;
import io.ycsbdrill.client.audit.KeyJudge.Lost;
import io.ycsbdrill.client.audit.KeyJudge.Phantom;
import io.ycsbdrill.client.audit.KeyJudge.Resolution;
import io.ycsbdrill.client.audit.journal.Rollback;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.Locale;
import java.util.OptionalLong;

/** Makes {@code audit.json}; docs/run-directory.md describes it. */
record AuditJson(WriteHistory history, Tally tally, ReadBack readBack, long originNanos) {
    private static final int SCHEMA = 1;

    ObjectNode of(long startNanos, long endNanos, int threads) {
        long keys = readBack.keys(); // hands out all of them, which what is said of reads needs
        ObjectNode audit = JsonNodeFactory.instance.objectNode().put("schema", SCHEMA);
        audit.put("ackedLost", tally.ackedLost());
        ObjectNode lost = audit.putObject("lost");
        for (Write.Kind kind : Write.Kind.values()) {
            lost.put(name(kind), tally.lost(kind));
        }
        audit.put("shownLost", tally.shownLost()).put("rowsLost", tally.rowsLost());
        audit.put("phantoms", tally.phantoms()).put("staleReads", tally.staleReads());
        history.rollback().ifPresent(loss -> putRestore(audit.putObject("restore"), loss));
        audit.putObject("unknown")
                .put("applied", tally.resolved(Resolution.APPLIED))
                .put("notApplied", tally.resolved(Resolution.NOT_APPLIED))
                .put("overwritten", tally.resolved(Resolution.OVERWRITTEN))
                .put("unresolved", history.count(Outcome.UNKNOWN) - tally.resolved());
        audit.putObject("writes")
                .put("ok", history.count(Outcome.OK))
                .put("failed", history.count(Outcome.FAILED))
                .put("unknown", history.count(Outcome.UNKNOWN))
                .put("judgedLast", tally.last());
        long judged = tally.judged() - readBack.loaded().judged();
        audit.putObject("keys").put("touched", keys).put("judged", judged).put("unreadable", keys - judged);
        audit.set("load", readBack.loaded().json());
        audit.putObject("journal").put("bytes", history.bytes());
        putTimes(audit.putObject("readBack"), startNanos, endNanos)
                .put("threads", threads)
                .put("readsOfKey", readBack.readsOfKey());
        readBack.problems().forEach(audit.putArray("problems")::add);
        ArrayNode findings = audit.putArray("findings");
        tally.findings().forEach(at -> findings.add(finding(at.key(), at.finding())));
        audit.put("unlistedFindings", tally.found() - tally.findings().size());
        return audit;
    }

    private void putRestore(ObjectNode restore, Rollback loss) {
        restore.put("backupSeconds", seconds(loss.pointNanos()))
                .put("lostSeconds", seconds(loss.lossNanos()))
                .put("restoredSeconds", seconds(loss.restoredNanos()))
                .put("acknowledged", readBack.reads().rolledBack())
                .put("gone", tally.gone());
        tally.oldestGone().stream()
                .filter(oldest -> oldest < loss.lossNanos())
                .forEach(oldest -> restore.put("rpoSeconds", length(loss.lossNanos() - oldest)));
        long oldest = Math.min(loss.pointNanos(), readBack.reads().oldestRolledBack());
        restore.put("rpoAtMostSeconds", length(loss.lossNanos() - oldest));
    }

    private static double length(long nanos) {
        return Math.round(nanos / 1e3) / 1e6;
    }

    ObjectNode finding(String key, Finding finding) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (finding instanceof Lost lost) {
            Write write = lost.write();
            node.put("kind", kind(write)).put("key", key);
            if (!lost.field().isEmpty()) {
                node.put("field", lost.field());
            }
            if (!write.equals(Zone.BEFORE_THE_RUN)) {
                node.put("write", WriteId.text(write.id())).put("startSeconds", seconds(write.startNanos()));
            }
            if (write.acknowledged()) {
                node.put("endSeconds", seconds(write.endNanos()));
            }
            node.put("found", lost.found().map(AuditJson::found).orElseGet(() -> nothing(key, write)));
        } else if (finding instanceof Phantom phantom) {
            node.put("kind", "phantom")
                    .put("key", key)
                    .put("field", phantom.field())
                    .put("found", found(phantom.found()));
        }
        return node;
    }

    private String nothing(String key, Write lost) {
        OptionalLong number =
                lost.equals(Zone.BEFORE_THE_RUN) ? readBack.loaded().number(key) : OptionalLong.empty();
        return number.isPresent() ? "nothing: row " + number.getAsLong() + " of the load was not found" : "nothing";
    }

    static String found(long id) {
        return id == Stamp.OTHER
                ? "a value from before the run"
                : id == Stamp.DAMAGED ? "a damaged value" : WriteId.text(id);
    }

    private static String kind(Write lost) {
        return lost.acknowledged()
                ? "lost-" + name(lost.kind())
                : lost.equals(Zone.BEFORE_THE_RUN) ? "lost-row" : "lost-shown";
    }

    private static String name(Write.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** When the audit did this; nothing where its clock is another than that of the journals. */
    ObjectNode putTimes(ObjectNode json, long startNanos, long endNanos) {
        return history.isOfThisBoot()
                ? json.put("startSeconds", seconds(startNanos)).put("endSeconds", seconds(endNanos))
                : json;
    }

    double seconds(long nanos) {
        return length(nanos - originNanos);
    }
}
