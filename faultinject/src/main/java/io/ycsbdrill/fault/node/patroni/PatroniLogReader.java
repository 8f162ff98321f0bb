package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.patroni.PatroniLogEvent.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the log of a node, which has the lines of Patroni ({@code 2026-11-27 03:13:07,796 INFO: ...}) and of its PostgreSQL
 * ({@code 2026-11-27 03:13:07.849 UTC [24228:] LOG:  ...}), both in milliseconds of UTC. Stateless.
 */
final class PatroniLogReader {
    /** PostgreSQL's {@code log_line_prefix}: time, process and name of the client, which for a replica is the node. */
    static final String PREFIX = "%m [%p:%a] ";

    private static final Pattern LINE = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d)[.,](\\d{3}) (?:UTC \\[\\d+:([^]]*)] )?([A-Z]+): +(.*)");

    /**
     * What lines mean; the first that fits counts.
     *
     * @param server whether it is PostgreSQL's and not Patroni's
     * @param words with at most one group, the detail
     */
    private record Meaning(Kind kind, boolean server, Pattern words) {
        static Meaning server(Kind kind, String words) {
            return new Meaning(kind, true, Pattern.compile(words));
        }

        static Meaning patroni(Kind kind, String words) {
            return new Meaning(kind, false, Pattern.compile(words));
        }
    }

    private static final List<Meaning> MEANINGS = List.of(
            Meaning.server(Kind.STARTING, "starting PostgreSQL (\\S+).*"),
            Meaning.server(Kind.READY, "database system is ready to accept connections"),
            Meaning.server(Kind.SHUT_DOWN, "database system is shut down"),
            Meaning.server(Kind.PROMOTED, "received promote request"),
            Meaning.server(Kind.TIMELINE, "selected new timeline ID: (\\d+)"),
            Meaning.server(Kind.STREAMING, "(?:re)?started (?:streaming WAL|WAL streaming) .*on timeline (\\d+)"),
            Meaning.server(
                    Kind.STREAM_ENDED,
                    "replication terminated by primary server|could not (?:receive data from|send data to) WAL stream.*"
                            + "|could not send end-of-streaming message.*|terminating walreceiver .*"),
            Meaning.server(Kind.REPLICA_SILENT, "terminating walsender process due to replication timeout"),
            Meaning.server(
                    Kind.STEP,
                    "received \\w+ shutdown request|database system was (?:interrupted|shut down|not properly).*"
                            + "|redo (?:starts|done) at.*|redo is not required|consistent recovery state.*"
                            + "|archive recovery complete|new timeline \\d+ forked off.*|last completed transaction.*"
                            + "|database system is ready to accept read-only connections"),
            Meaning.patroni(Kind.LOCK_TAKEN, "promoted self to leader by acquiring session lock"),
            Meaning.patroni(Kind.LOCK_HELD, "no action\\. I am \\([^)]+\\), the leader with the lock"),
            Meaning.patroni(Kind.DEMOTING, "Demoting self .*|demoting self because .*"),
            Meaning.patroni(Kind.FAILSAFE, "continue to run as a leader because failsafe mode is enabled.*"),
            Meaning.patroni(
                    Kind.COPYING,
                    "running (pg_rewind) from (?!.*in progress|dbname).*|trying to bootstrap from leader .*"),
            Meaning.patroni(Kind.COPIED, "(pg_rewind) exit code=0|replica has been created using (\\w+)"),
            Meaning.patroni(Kind.SYNCHRONOUS, "Synchronous standby status assigned to (.*)"),
            Meaning.patroni(
                    Kind.STEP,
                    "promoted self to leader because .*|doing crash recovery in a single user mode"
                            + "|Leader key released|received (?:switchover|failover) request.*"
                            + "|manual failover: demoting myself|starting (?:as|after) .*(?<!in progress)"
                            + "|Could not take out TTL lock|following a different leader because.*"
                            + "|My wal position exceeds.*|not healthy enough for leader race|DCS is not accessible"
                            + "|No standbys available!|Assigning synchronous standby status.*"
                            + "|waiting for leader to bootstrap|Removing data directory.*|pg_rewind exit code=.*"
                            + "|stderr=pg_rewind: servers diverged at .*"));

    /** What the line says; empty when that is nothing of interest. */
    static Optional<PatroniLogEvent> event(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            return Optional.empty();
        }
        boolean server = parts.group(4) != null;
        String text = parts.group(6);
        for (Meaning meaning : MEANINGS) {
            Matcher words = meaning.words().matcher(text);
            if (meaning.server() == server && words.matches()) {
                return at(parts)
                        .map(at -> new PatroniLogEvent(
                                meaning.kind(),
                                at,
                                text,
                                meaning.kind() == Kind.REPLICA_SILENT ? parts.group(4) : detail(words)));
            }
        }
        return Optional.empty();
    }

    private static String detail(Matcher words) {
        for (int i = 1; i <= words.groupCount(); i++) {
            if (words.group(i) != null) {
                return words.group(i);
            }
        }
        return "";
    }

    private static Optional<Instant> at(Matcher parts) {
        try {
            return Optional.of(Instant.parse(parts.group(1) + "T" + parts.group(2) + "." + parts.group(3) + "Z"));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
