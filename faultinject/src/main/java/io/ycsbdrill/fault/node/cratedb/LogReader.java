package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.cratedb.LogEvent.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Understands a server's log line by line; the end of a copy takes several. Owned by one thread. */
final class LogReader {
    private static final Pattern LINE =
            Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z)]\\[\\w+ *]\\[([^]]+)] (.*)");
    private static final Pattern MASTER = Pattern.compile("master node changed \\{previous .*, current \\[(.*?)]}.*");
    private static final Pattern NODE = Pattern.compile("\\{([^{}]+)}\\{[A-Za-z0-9_-]{16,}}\\{[A-Za-z0-9_-]{16,}}");
    private static final Pattern DONE = Pattern.compile("recovery completed from \\{([^{}]+)}.*, (took\\[.*])");
    private static final Pattern STEPS = Pattern.compile("(version\\[|initialized|starting \\.\\.\\.|started|stopping"
            + "|closed|elected-as-master|node-left|scheduling reroute for delayed|delaying initial state recovery"
            + "|recovered \\[\\d+] indices|marking unavailable shards|primary-replica resync completed).*");
    private static final int LONGEST = 300;

    private LogEvent done;

    /** The events that the line states, or completes; most lines are none. */
    List<LogEvent> accept(String line) {
        Matcher stamped = LINE.matcher(line);
        if (!stamped.matches()) {
            return done == null ? List.of() : copied(line.strip());
        }
        List<LogEvent> events = new ArrayList<>();
        if (done != null) { // its other lines are missing
            events.add(done);
            done = null;
        }
        try {
            line(Instant.parse(stamped.group(1)), stamped.group(2), stamped.group(3), events);
        } catch (DateTimeException e) {
            // A damaged line.
        }
        return events;
    }

    private void line(Instant at, String logger, String text, List<LogEvent> to) {
        switch (logger) {
            case "ClusterApplierService" -> members(at, text, to);
            case "PeerRecoveryTargetService" -> copy(at, text, to);
            case "AllocationService" -> {
                if (text.startsWith("Cluster health status changed")) {
                    to.add(event(text.contains("to [GREEN]") ? Kind.GREEN : Kind.STEP, at, text));
                }
            }
            default -> {
                if (STEPS.matcher(text).matches()) {
                    to.add(event(Kind.STEP, at, text));
                }
            }
        }
    }

    /** {@code master node changed {...}, removed {...}, added {...}, term: 1, ...}: each part only if it is so. */
    private static void members(Instant at, String text, List<LogEvent> to) {
        Matcher master = MASTER.matcher(text);
        if (master.matches()) {
            to.add(event(master.group(1).isEmpty() ? Kind.ALONE : Kind.JOINED, at, text));
        }
        nodes(Kind.REMOVED, "removed {", at, text, to);
        nodes(Kind.ADDED, "added {", at, text, to);
    }

    private static void nodes(Kind kind, String mark, Instant at, String text, List<LogEvent> to) {
        int from = text.indexOf(mark);
        if (from < 0) {
            return;
        }
        int until = text.indexOf(",}, ", from);
        Matcher node = NODE.matcher(until < 0 ? text.substring(from) : text.substring(from, until));
        List<String> names = new ArrayList<>();
        while (node.find()) {
            names.add(node.group(1));
        }
        to.add(new LogEvent(kind, at, names, mark.replace(" {", ": ") + String.join(", ", names)));
    }

    private void copy(Instant at, String text, List<LogEvent> to) {
        int end = text.lastIndexOf("] ");
        String what = end < 0 ? text : text.substring(end + 2);
        if (what.startsWith("started recovery from")) {
            to.add(event(Kind.COPY_STARTED, at, text));
            return;
        }
        Matcher completed = DONE.matcher(what);
        if (completed.matches()) {
            String shard = text.substring(0, end + 1);
            done = new LogEvent(
                    Kind.COPY_DONE,
                    at,
                    List.of(),
                    "copy " + shard + " from " + completed.group(1) + " completed, " + completed.group(2));
        }
    }

    /** What was copied: files, and operations that were missed. */
    private List<LogEvent> copied(String line) {
        String what = line.replaceFirst("^phase1: |^: ", "").replaceAll("\\s+", " ");
        if (what.startsWith("recovered_files") || what.startsWith("reusing_files") || what.startsWith("recovered [")) {
            done = new LogEvent(done.kind(), done.at(), List.of(), done.text() + "; " + what);
        }
        if (!what.startsWith("recovered [")) {
            return List.of();
        }
        LogEvent whole = done;
        done = null;
        return List.of(whole);
    }

    private static LogEvent event(Kind kind, Instant at, String text) {
        return new LogEvent(kind, at, List.of(), text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
