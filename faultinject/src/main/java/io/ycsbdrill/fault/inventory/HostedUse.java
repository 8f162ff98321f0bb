package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostSession;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the data nodes and SQL servers of an inventory have used, as the kernels of their hosts count it: each question is a few lines of
 * {@code /proc} over a connection to the host that stays open. Thread-safe.
 */
final class HostedUse implements AutoCloseable {
    /** A host that takes longer has no sample in that second. */
    private static final Duration BOUND = Duration.ofMillis(900);

    /** Prints nothing unless the pid file ($1) names a process that runs one of the programs (the others). */
    private static final String SCRIPT = """
            { read -r pid <"$1"; } 2>/dev/null || [ -n "$pid" ] || exit 3
            case $pid in '' | *[!0-9]*) exit 3 ;; esac
            shift
            exe=$(readlink "/proc/$pid/exe" 2>/dev/null)
            for program in "$@"; do
                case ${exe% (deleted)} in
                    */"$program") known=yes && break ;;
                    *) ! tr '\\0' '\\n' 2>/dev/null <"/proc/$pid/cmdline" | sed 's:.*/::' | grep -q -x -F -e "$program" || known=yes ;;
                esac
            done
            [ "$known" = yes ] || exit 3
            echo "ticks $(getconf CLK_TCK 2>/dev/null || echo 100)"
            echo "uptime $(cat /proc/uptime)"
            sed 's/.*) /stat /' "/proc/$pid/stat" && grep '^VmRSS:' "/proc/$pid/status" && echo "pid $pid"
            """;

    private static final Pattern ANSWER = Pattern.compile(
            "ticks (\\d+)\\nuptime ([0-9.]+)[^\\n]*\\nstat ([^\\n]*)\\nVmRSS:\\s+(\\d+) kB\\npid (\\d+)\\n");

    /** In {@code /proc/PID/stat}, from the state on (proc_pid_stat(5)). */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int START_TICKS = 19;

    /** After so many connections in a row that ended, a host is left alone for a while: who is refused each second is locked out. */
    private static final int REFUSALS = 3;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** The connection to one server's host. Thread-safe. */
    static final class Asked {
        private final HostSession session;
        private final LongSupplier nanos;
        private int refusals;
        private long until;

        Asked(HostSession session, LongSupplier nanos) {
            this.session = session;
            this.nanos = nanos;
        }

        synchronized Optional<NodeUse> ask(Duration bound) {
            if (refusals >= REFUSALS && nanos.getAsLong() - until < 0) {
                return Optional.empty();
            }
            try {
                ProgramOutput output = session.run(bound);
                refusals = 0;
                return output.exit() == 0 ? parse(output.text()) : Optional.empty();
            } catch (IOException e) {
                // What happens meanwhile is in the next sample. A connection that is only slow is waited for, and none
                // is made anew.
                refusals += session.connected() ? 0 : 1;
                until = nanos.getAsLong() + PAUSE_NANOS;
                return Optional.empty();
            }
        }
    }

    private final Map<String, Asked> sessions = new LinkedHashMap<>();

    /**
     * Connects with the first question. Servers whose process their inventory cannot name are left out, and so are those with a
     * supervisor: PostgreSQL's work is done by a process for each connection, and the one of the pid file has used next to nothing.
     */
    HostedUse(Inventory inventory) {
        Stream.of(Role.DATA, Role.SQL)
                .flatMap(role -> inventory.nodes(role).stream())
                .filter(node -> !node.pidFile().isEmpty()
                        && !node.programs().isEmpty()
                        && node.supervisor().isEmpty())
                .forEach(node -> sessions.put(
                        node.id(), new Asked(new HostSession(node.host(), command(node)), System::nanoTime)));
    }

    static List<String> command(HostedNode node) {
        return Stream.concat(
                        Stream.of("sh", "-c", SCRIPT, "sh", node.pidFile()),
                        node.programs().stream().map(program -> program.replaceFirst(".*/", "")))
                .toList();
    }

    /** By server; those that have no process, or whose host did not answer at once, are left out. */
    Map<String, NodeUse> now() {
        Map<String, CompletableFuture<Optional<NodeUse>>> asked = new LinkedHashMap<>();
        sessions.forEach((node, session) -> asked.put(node, AtOnce.ask(() -> session.ask(BOUND))));
        Map<String, NodeUse> use = new LinkedHashMap<>();
        asked.forEach((node, answer) -> answer.join().ifPresent(used -> use.put(node, used)));
        return use;
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
        sessions.values().forEach(asked -> asked.session.close());
    }
}
