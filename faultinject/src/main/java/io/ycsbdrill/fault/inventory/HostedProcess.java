package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.HostScript;
import io.ycsbdrill.fault.host.HostSession;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for the process of one server by a few lines of its host's {@code /proc}, over a connection that stays open. After some
 * connections in a row that ended, the host is left alone for a while: who is refused again and again is locked out. Thread-safe; looks
 * follow each other.
 */
public final class HostedProcess implements AutoCloseable {
    /**
     * $1 is the pid file, $2 the programs; {@code $argument} is the process that was seen last, {@code PID-START}: while that lives it is
     * the server's, whatever a pid file says.
     */
    private static final String SCRIPT = HostScript.read(HostedProcess.class, "process.sh") + """

            # Whether process $1 that was started at $2 has not ended, to its last thread.
            lives() {
                { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
                set -- "$2" ${line##*) }
                [ "$1" = "${21}" ] && case $2 in Z | X) [ "${19}" -gt 1 ] ;; esac
            }
            pid=${argument%%-*}
            if [ -z "$pid" ] || ! lives "$pid" "${argument#*-}"; then
                [ -z "$pid" ] || echo ended
                [ ! -e "$1" ] || [ -r "$1" ] || exit 4
                pid=$(sed -n '1s/[^0-9]*\\([0-9][0-9]*\\).*/\\1/p' "$1" 2>/dev/null)
                [ -n "$pid" ] && runs "$pid" "$2" && as_old_as "$pid" "$1" || exit 3
            fi
            echo "ticks $(getconf CLK_TCK 2>/dev/null || echo 100)"
            echo "uptime $(cat /proc/uptime)"
            sed 's/.*) /stat /' "/proc/$pid/stat" && grep '^VmRSS:' "/proc/$pid/status" && echo "pid $pid"
            """;

    private static final Pattern ANSWER = Pattern.compile(
            "ticks (\\d+)\\nuptime ([0-9.]+)[^\\n]*\\nstat ([^\\n]*)\\nVmRSS:\\s+(\\d+) kB\\npid (\\d+)\\n");
    private static final String ENDED = "ended\n";

    /** In {@code /proc/PID/stat}, from the state on (proc_pid_stat(5)). */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int START_TICKS = 19;

    private static final int REFUSALS = 3;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final HostSession session;
    private final LongSupplier nanos;
    private int refusals;
    private long until;
    /** The process that was seen last; empty when that has ended, or there was none. */
    private String known = "";

    /**
     * What its host said.
     *
     * @param askedNanos when it was asked, on the scale of {@link System#nanoTime()}
     * @param use of the process; empty when none was found
     * @param none whether that is because the pid file names none
     * @param ended whether the process that was seen last has surely ended
     */
    public record Seen(long askedNanos, Optional<NodeUse> use, boolean none, boolean ended) {}

    /** Connects with the first look. */
    public HostedProcess(HostedNode node) {
        this(
                new HostSession(
                        node.host(),
                        List.of("sh", "-c", SCRIPT, "sh", node.pidFile(), String.join("|", node.programs()))),
                System::nanoTime);
    }

    HostedProcess(HostSession session, LongSupplier nanos) {
        this.session = session;
        this.nanos = nanos;
    }

    /** Looks once; empty when the host has not answered in time, or is left alone for now. */
    public synchronized Optional<Seen> look(Duration bound) {
        if (refusals >= REFUSALS && nanos.getAsLong() - until < 0) {
            return Optional.empty();
        }
        try {
            if (!session.connected()) {
                session.run(bound, known); // a question that waits for the login has no time
            }
            ProgramOutput output = session.run(bound, known);
            refusals = 0;
            boolean ended = !known.isEmpty() && output.text().startsWith(ENDED);
            Optional<NodeUse> use = output.exit() == 0
                    ? parse(ended ? output.text().substring(ENDED.length()) : output.text())
                    : Optional.empty();
            known = use.map(NodeUse::process).orElse(ended ? "" : known);
            return Optional.of(new Seen(session.askedNanos(), use, output.exit() == HostedNode.NO_PROCESS, ended));
        } catch (IOException e) {
            // What happens meanwhile is in the next answer. A connection that is only slow is waited for, and none is
            // made anew.
            refusals += session.connected() ? 0 : 1;
            until = nanos.getAsLong() + PAUSE_NANOS;
            return Optional.empty();
        }
    }

    static Optional<NodeUse> parse(String text) {
        Matcher answer = ANSWER.matcher(text);
        if (!answer.matches()) {
            return Optional.empty();
        }
        try {
            String[] stat = answer.group(3).split(" ");
            double ticks = Double.parseDouble(answer.group(1));
            return Optional.of(new NodeUse(
                    answer.group(5) + "-" + stat[START_TICKS],
                    Math.max(0, Double.parseDouble(answer.group(2)) - Long.parseLong(stat[START_TICKS]) / ticks),
                    (Long.parseLong(stat[USER_TICKS]) + Long.parseLong(stat[SYSTEM_TICKS])) / ticks,
                    Long.parseLong(answer.group(4)) * 1024));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
