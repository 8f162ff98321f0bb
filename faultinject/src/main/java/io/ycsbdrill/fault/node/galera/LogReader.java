package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.galera.LogEvent.Kind;
import io.ycsbdrill.fault.node.galera.LogEvent.View;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Understands a server's error log line by line; a view of the group takes several. Owned by one thread. */
final class LogReader {
    private static final Pattern LINE =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) +(\\d{1,2}:\\d\\d:\\d\\d) +\\d+ \\[(Note|Warning|ERROR)] (.*)");
    private static final Pattern SST =
            Pattern.compile("WSREP_SST: \\[\\w+] (.*) \\((\\d{8} \\d\\d:\\d\\d:\\d\\d\\.\\d{3})\\)");
    private static final Pattern STARTING =
            Pattern.compile("Starting MariaDB (\\S+) .*|.*\\(server (\\S+)\\) starting as process.*");
    private static final Pattern JOINED = Pattern.compile("WSREP: Shifting (JOINER|PRIMARY) -> JOINED.*");
    private static final Pattern LEAVING = Pattern.compile("WSREP: Server status change \\w+ -> disconnecting.*");
    private static final Pattern VIEW_BEGINS = Pattern.compile("WSREP: =+");
    private static final Pattern MEMBER = Pattern.compile("\\s+(\\d+): ([0-9a-f-]+), (.*)");

    private static final Pattern STEP = Pattern.compile("InnoDB: (Starting crash recovery|End of log|To recover:).*"
            + "|WSREP: (Recovered position|Server status change|Shifting|New COMPONENT|Prepared IST receiver|Receiving IST"
            + "|IST received|SST received|Installed new state|IST sender|async IST sender|Flushing tables for SST|Tables flushed"
            + "|Local state:|It may not be safe|Will never receive|SST sent).*"
            + "|WSREP: Member .* (requested state transfer|synced with group).*"
            + "|WSREP: .*(suspecting node|declaring inactive|forgetting ).*"
            + "|WSREP: .*[Ss]tate transfer (to|from) .*|.*: (ready for connections|Shutdown complete).*");

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd H:mm:ss");
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("yyyyMMdd HH:mm:ss.SSS");

    private final ZoneId zone;
    private ViewText view;

    /** A view whose lines are still coming. */
    private static final class ViewText {
        final Instant stamp;
        boolean begun;
        boolean primary;
        int own = -1;
        String id = "";
        String ownId = "";
        final Map<String, String> members = new LinkedHashMap<>();

        ViewText(Instant stamp) {
            this.stamp = stamp;
        }
    }

    /** @param zone in which the servers write their times */
    LogReader(ZoneId zone) {
        this.zone = zone;
    }

    /** The event that the line states, or completes; most lines are none. */
    Optional<LogEvent> accept(String line) {
        Matcher stamped = LINE.matcher(line);
        if (stamped.matches()) {
            view = null; // a view is written in one go
            return stamp(stamped.group(1) + " " + stamped.group(2), SECONDS)
                    .flatMap(at -> stampedLine(at, stamped.group(4)));
        }
        Matcher sst = SST.matcher(line);
        if (sst.matches()) {
            return stamp(sst.group(2), MILLIS)
                    .map(at -> new LogEvent(Kind.STEP, at, true, "WSREP_SST: " + sst.group(1), "", null));
        }
        return view == null ? Optional.empty() : viewLine(line);
    }

    private Optional<Instant> stamp(String text, DateTimeFormatter format) {
        try {
            return Optional.of(LocalDateTime.parse(text, format).atZone(zone).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty(); // a damaged line
        }
    }

    private Optional<LogEvent> stampedLine(Instant at, String text) {
        Matcher starting = STARTING.matcher(text);
        if (starting.matches()) {
            String version = starting.group(1) == null ? starting.group(2) : starting.group(1);
            return Optional.of(new LogEvent(Kind.STARTING, at, false, text, version, null));
        }
        if (VIEW_BEGINS.matcher(text).matches()) {
            view = new ViewText(at);
            return Optional.empty();
        }
        if (text.startsWith("WSREP: Recovered view from SST:")) {
            view = new ViewText(at); // the same without frame, ended by an empty line
            view.begun = true;
            return Optional.empty();
        }
        if (text.startsWith("WSREP: State transfer required")) {
            return Optional.of(LogEvent.of(Kind.TRANSFER, at, text.strip()));
        }
        if (JOINED.matcher(text).matches()) {
            return Optional.of(LogEvent.of(Kind.JOINED, at, text));
        }
        if (text.startsWith("WSREP: Synchronized with group")) {
            return Optional.of(LogEvent.of(Kind.SYNCED, at, text));
        }
        if (LEAVING.matcher(text).matches()) {
            return Optional.of(LogEvent.of(Kind.LEAVING, at, text));
        }
        if (text.startsWith("WSREP: Inconsistency detected")) {
            return Optional.of(LogEvent.of(Kind.EXPELLED, at, text));
        }
        return STEP.matcher(text).matches() ? Optional.of(LogEvent.of(Kind.STEP, at, text)) : Optional.empty();
    }

    private Optional<LogEvent> viewLine(String line) {
        String text = line.strip();
        if (!view.begun) {
            view.begun = text.equals("View:");
            view = view.begun ? view : null;
            return Optional.empty();
        }
        if (text.isEmpty() || text.startsWith("====")) {
            ViewText done = view;
            view = null;
            String said = "view " + done.id + ": " + (done.primary ? "primary" : "non-primary") + ", members "
                    + String.join(", ", done.members.values());
            return Optional.of(new LogEvent(
                    Kind.VIEW, done.stamp, false, said, "", new View(done.primary, done.ownId, done.members)));
        }
        Matcher member = MEMBER.matcher(line);
        if (member.matches()) {
            view.members.put(member.group(2), member.group(3).strip());
            if (Integer.toString(view.own).equals(member.group(1))) {
                view.ownId = member.group(2);
            }
        } else if (text.startsWith("status: ")) {
            view.primary = text.equals("status: primary");
        } else if (text.matches("own_index: -?\\d+")) {
            view.own = Integer.parseInt(text.substring("own_index: ".length()));
        } else if (text.startsWith("id: ")) {
            view.id = text.substring("id: ".length());
        }
        return Optional.empty();
    }
}
