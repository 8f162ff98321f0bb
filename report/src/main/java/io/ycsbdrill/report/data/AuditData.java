package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.rundir.RunFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the audit of a run found: {@code audit.json}.
 *
 * @param json the file as it is
 */
public record AuditData(JsonNode json) {

    /**
     * Of a run directory; empty when the run was not audited.
     *
     * @throws RunFormatException when the file is damaged
     */
    public static Optional<AuditData> read(Path directory) {
        return RunDocuments.audit(directory);
    }

    /** The number of acknowledged writes that the database does not have. */
    public long ackedLost() {
        return count("/ackedLost");
    }

    /** The number of acknowledged writes that were audited. */
    public long acknowledged() {
        return count("/writes/ok");
    }

    /**
     * An acknowledged write that the database does not have.
     *
     * @param startSeconds when it began, or before; since run start
     * @param acknowledgedSeconds when it was acknowledged, or later
     */
    public record LostWrite(double startSeconds, double acknowledgedSeconds) {}

    /** Those that the file lists. */
    public List<LostWrite> lostWrites() {
        List<LostWrite> writes = new ArrayList<>();
        for (JsonNode finding : json.path("findings")) {
            if (finding.path("kind").asText().startsWith("lost-") && finding.has("endSeconds")) {
                writes.add(new LostWrite(
                        finding.path("startSeconds").asDouble(),
                        finding.path("endSeconds").asDouble()));
            }
        }
        return writes;
    }

    /** What a restore from a backup has taken back, which is no finding; empty when there was none. */
    public Optional<RestoreData> restore() {
        return Optional.of(json.path("restore")).filter(JsonNode::isObject).map(RestoreData::new);
    }

    /** Acknowledged writes whose loss would have been found: the last ones of their fields; 0 when the file does not tell. */
    public long judgedLast() {
        return count("/writes/judgedLast");
    }

    /** Writes of unknown outcome that a read had shown, and rows from before the run, that are gone. */
    private long otherLosses() {
        return count("/shownLost") + count("/rowsLost");
    }

    /** A restore may cost what was written after the backup, and no other loss. */
    private boolean allowed(boolean lossesAllowed) {
        return lossesAllowed && restore().isEmpty();
    }

    /** Whether there was nothing that could have been found lost: no write, no row of the load and no read is known. */
    public boolean judgedNothing() {
        return count("/writes/ok")
                        + count("/writes/failed")
                        + count("/writes/unknown")
                        + count("/load/read")
                        + count("/reads/judged")
                == 0;
    }

    /** Values that were never written, or whose write had failed. */
    public long phantoms() {
        return count("/phantoms");
    }

    /** Why the result of some writes is unknown; empty when all are known. */
    public List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        gap(gaps, "/keys/unreadable", "{written key|written keys} could not be read back%s");
        gap(gaps, "/load/unreadable", "{row|rows} of the load could not be read back%s");
        gap(
                gaps,
                "/writes/inNoJournal",
                "{write that the run has counted is|writes that the run has counted are} in no journal: a journal is missing or empty");
        if (judgedNothing()) {
            gaps.add("nothing could be judged: the journals have neither a write nor a read");
        }
        // In directories of versions that kept the writes in memory.
        gap(gaps, "/writes/notAudited", "{write was|writes were} not audited");
        return gaps;
    }

    private void gap(List<String> gaps, String pointer, String text) {
        if (count(pointer) > 0) {
            gaps.add(Formatted.of("%,d " + text, count(pointer), problems(json)));
        }
    }

    static String problems(JsonNode json) {
        List<String> problems = new ArrayList<>();
        json.path("problems").forEach(problem -> problems.add(problem.asText()));
        return problems.isEmpty() ? "" : " (" + String.join("; ", problems) + ")";
    }

    /** The copies on each node. */
    public ReplicaData replicas() {
        return new ReplicaData(json.path("replicas"));
    }

    /** Rows that were deleted or not found and have too many calls, or orders of them, to be judged as a whole. */
    public long partlyJudgedRows() {
        return count("/reads/partlyJudgedRows");
    }

    /** Reads that have shown what a database never shows that promises strong reads, during the run and after it; 0 when nothing is promised. */
    public long brokenReads() {
        return strong(count("/staleReads")
                + count("/reads/stale")
                + count("/reads/backwards")
                + count("/reads/missing")
                + count("/reads/phantom"));
    }

    private String lossesOfOthers() {
        return Formatted.of(
                "%,d {write|writes} lost that a read had shown, %,d {row|rows} lost from before the run",
                count("/shownLost"), count("/rowsLost"));
    }

    private long strong(long reads) {
        return json.at("/reads/strong").asBoolean() ? reads : 0;
    }

    /** Whether nothing was lost, nothing exists or was read that should not, and this is known of every write and of every copy. */
    public boolean isClean() {
        return ackedLost() == 0 && otherFindings(false).isEmpty();
    }

    /**
     * Why more writes may be lost than were found: not every write was judged, or what users find depends on the copy that they
     * are given. Empty when there is no such reason.
     */
    public List<String> doubts() {
        List<String> doubts = gaps();
        if (otherLosses() > 0) {
            doubts.add(lossesOfOthers());
        }
        if (replicas().wrong() && !copiesShowTheSame()) {
            doubts.add(replicas().verdict());
        }
        return doubts;
    }

    /**
     * What is wrong besides lost writes; empty when nothing is.
     *
     * @param lossesAllowed whether writes may be lost: then reads that do not show them are wrong no more
     */
    public List<String> otherFindings(boolean lossesAllowed) {
        List<String> others = gaps();
        if (otherLosses() > 0 && !allowed(lossesAllowed)) {
            others.add(lossesOfOthers());
        }
        if (phantoms() > 0) {
            others.add(Formatted.of("%,d {phantom|phantoms}", phantoms()));
        }
        if (brokenReads(lossesAllowed) > 0) {
            others.add(Formatted.of(
                    "%,d {read|reads} that a database with strong reads never shows", brokenReads(lossesAllowed)));
        }
        if (!replicas().isClean() && !copiesShowTheSame()) {
            others.add(replicas().verdict());
        }
        return others;
    }

    /** A write that is lost explains a read of an older value, but none of a value that should not exist. */
    public long brokenReads(boolean lossesAllowed) {
        return allowed(lossesAllowed) && ackedLost() + otherLosses() > 0
                ? strong(count("/reads/phantom"))
                : brokenReads();
    }

    /** Whether what is wrong besides lost writes was found, as opposed to not being known. */
    public boolean foundOthers(boolean lossesAllowed) {
        return phantoms() + brokenReads(lossesAllowed) + (allowed(lossesAllowed) ? 0 : otherLosses()) > 0
                || replicas().wrong() && !copiesShowTheSame();
    }

    /** Whether all copies are equal and lack, or have, what the read-back has found already. */
    private boolean copiesShowTheSame() {
        return replicas().equal() && ackedLost() + otherLosses() + phantoms() > 0;
    }

    /** The result in a few lines, starting with the verdict. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(Formatted.of(
                "%,d {acknowledged write|acknowledged writes} lost%s (%,d {insert|inserts}, %,d {update|updates}, %,d {delete|deletes}), %,d {phantom|phantoms}, %,d {stale read|stale reads}%s",
                ackedLost(),
                restore().isPresent() ? " that the backup, or the cluster since, must have" : "",
                count("/lost/insert"),
                count("/lost/update"),
                count("/lost/delete"),
                phantoms(),
                count("/staleReads"),
                replicas().differ()
                        ? "; replicas differ"
                        : json.at("/replicas/available").asBoolean(true) ? "" : "; replicas not compared"));
        lines.add(Formatted.of(
                "%,d {write|writes}: %,d ok, %,d failed, %,d unknown (%,d applied, %,d not applied, %,d overwritten, %,d unresolved)",
                count("/writes/ok") + count("/writes/failed") + count("/writes/unknown"),
                count("/writes/ok"),
                count("/writes/failed"),
                count("/writes/unknown"),
                count("/unknown/applied"),
                count("/unknown/notApplied"),
                count("/unknown/overwritten"),
                count("/unknown/unresolved")));
        lines.add(Formatted.of(
                "%,d {key|keys} written, %,d read back and judged%s",
                count("/keys/touched"), count("/keys/judged"), readBackTime()));
        if (count("/reads/judged") > 0) {
            lines.add(Formatted.of(
                    "%,d {read|reads} during the run: %,d stale, %,d backwards, %,d without a row of the load, %,d {phantom|phantoms}; the engine promises %s",
                    count("/reads/judged"),
                    count("/reads/stale"),
                    count("/reads/backwards"),
                    count("/reads/missing"),
                    count("/reads/phantom"),
                    json.at("/reads/strong").asBoolean() ? "that there are none" : "nothing about them"));
        }
        if (count("/load/read") > 0) {
            lines.add(Formatted.of(
                    "%,d of the %,d rows of the load, that the run did not write: %,d not found",
                    count("/load/read"), count("/load/rows"), count("/load/missing")));
        }
        restore().map(RestoreData::text).ifPresent(lines::add);
        if (json.has("restoreProblem")) {
            lines.add(json.path("restoreProblem").asText());
        }
        if (otherLosses() > 0) {
            lines.add(lossesOfOthers());
        }
        lines.addAll(gaps());
        lines.addAll(replicas().lines());
        return lines;
    }

    /** Empty when it is not known: the machine was started since the run, or is another one. */
    private String readBackTime() {
        JsonNode end = json.at("/readBack/endSeconds");
        return end.isNumber()
                ? Formatted.of(
                        " in %.1f s",
                        end.asDouble() - json.at("/readBack/startSeconds").asDouble())
                : "";
    }

    /** The findings that the file lists: kind, key, field, write, time, found. */
    public List<List<String>> findings(int most) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode finding : json.path("findings")) {
            if (rows.size() < most) {
                rows.add(row(finding));
            }
        }
        return rows;
    }

    static List<String> row(JsonNode finding) {
        String when = finding.has("startSeconds")
                ? Formatted.of("%.6f", finding.path("startSeconds").asDouble())
                : "";
        return List.of(
                finding.path("kind").asText("?"),
                finding.path("key").asText("?"),
                finding.path("field").asText(""),
                finding.path("write").asText(""),
                when,
                finding.path("found").asText("?"));
    }

    private long count(String pointer) {
        return json.at(pointer).asLong();
    }
}
