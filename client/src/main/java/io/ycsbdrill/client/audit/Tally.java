package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.KeyJudge.Finding;
import io.ycsbdrill.client.audit.KeyJudge.Lost;
import io.ycsbdrill.client.audit.KeyJudge.Phantom;
import io.ycsbdrill.client.audit.KeyJudge.Resolution;
import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import io.ycsbdrill.client.audit.journal.Write;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The verdicts on all keys, added up. Thread-safe. */
final class Tally {
    /** Findings that are listed one by one. */
    static final int MOST_FINDINGS = 10_000;

    /** One finding and where it is. */
    record At(String key, Finding finding) {}

    private final Map<Write.Kind, Long> lost = new EnumMap<>(Write.Kind.class);
    private final Map<Resolution, Long> resolved = new EnumMap<>(Resolution.class);
    private final List<At> findings = new ArrayList<>();
    private long gone;
    private OptionalLong oldestGone = OptionalLong.empty();
    private long phantoms;
    private long shownLost;
    private long rowsLost;
    private long last;
    private long stale;
    private long judged;

    /** @param stale whether an earlier read of the key has shown something that this one did not confirm */
    synchronized void add(String key, Verdict verdict, boolean staleRead) {
        judged++;
        last += verdict.last();
        stale += staleRead ? 1 : 0;
        for (Finding finding : verdict.findings()) {
            if (finding instanceof Lost missing) {
                add(missing.write());
            } else if (finding instanceof Phantom) {
                phantoms++;
            }
            if (findings.size() < MOST_FINDINGS) {
                findings.add(new At(key, finding));
            }
        }
        gone += verdict.gone().size();
        verdict.gone().forEach(this::old);
        verdict.resolved().values().forEach(resolution -> resolved.merge(resolution, 1L, Long::sum));
    }

    private void add(Write write) {
        if (write.acknowledged()) {
            lost.merge(write.kind(), 1L, Long::sum);
            old(write);
        } else if (write.equals(Zone.BEFORE_THE_RUN)) {
            rowsLost++;
        } else {
            shownLost++;
        }
    }

    private void old(Write write) {
        oldestGone = OptionalLong.of(Math.min(oldestGone.orElse(Long.MAX_VALUE), write.startNanos()));
    }

    /** Acknowledged writes that a rollback has taken, as was to be expected. */
    synchronized long gone() {
        return gone;
    }

    /** When the first acknowledged write began that is not there, whatever has taken it; empty when none is missing. */
    synchronized OptionalLong oldestGone() {
        return oldestGone;
    }

    /** Acknowledged writes that would have been found missing. */
    synchronized long last() {
        return last;
    }

    /** Writes of unknown outcome that a read had shown, and that are gone. */
    synchronized long shownLost() {
        return shownLost;
    }

    /** Rows from before the run that are gone, though nothing deleted them. */
    synchronized long rowsLost() {
        return rowsLost;
    }

    /** All findings, also those that are not listed. */
    synchronized long found() {
        return ackedLost() + shownLost + rowsLost + phantoms;
    }

    synchronized long lost(Write.Kind kind) {
        return lost.getOrDefault(kind, 0L);
    }

    synchronized long ackedLost() {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized long resolved(Resolution resolution) {
        return resolved.getOrDefault(resolution, 0L);
    }

    synchronized long resolved() {
        return resolved.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized long phantoms() {
        return phantoms;
    }

    synchronized long staleReads() {
        return stale;
    }

    synchronized long judged() {
        return judged;
    }

    synchronized List<At> findings() {
        return List.copyOf(findings);
    }
}
