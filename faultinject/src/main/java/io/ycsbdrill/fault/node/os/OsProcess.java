package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of this machine by pid, for the engines' controllers, and the only way by which this program signals one; needs
 * {@code /proc}. It is known by its id together with the time of its start, so that a later one with that id is not taken for it. A
 * signal is sent only to one that this program has started, or that its pid file records, and that runs one of the programs which
 * were recorded with it. One that has ended but was not yet collected by its parent counts as gone. Immutable and thread-safe.
 *
 * @param pid its id
 * @param startTicks when it was started, in clock ticks since boot; empty when no process had the id
 * @param programs names of those that it may run to be signalled; of none when it may only be looked at
 */
public record OsProcess(long pid, OptionalLong startTicks, Set<String> programs) {
    /** What stands before a server's program and becomes it in place, a script that starts it included. */
    private static final Set<String> STARTERS =
            Set.of("setsid", "taskset", "nsenter", "unshare", "setpriv", "env", "sh", "dash", "bash", "busybox");

    /**
     * For scripts that signal. same PID TICKS: whether it is the process that was started then, and has not ended. ours PID TICKS
     * NAMES: and runs one of the programs (a,b), as its executable or its argument 0. Both look at nothing but {@code /proc}.
     */
    static final String PROOF = """
            same() {
              { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
              set -f
              set -- "$2" ${line##*) }
              case $2 in Z | X) [ "${19}" -gt 1 ] || return 1 ;; esac
              [ "$1" = "${21}" ]
            }
            ours() {
              same "$1" "$2" || return 1
              exe=$(readlink "/proc/$1/exe")
              exe=${exe% (deleted)}
              first=$({ tr '\\0' '\\n' <"/proc/$1/cmdline" | head -n 1; } 2>/dev/null)
              case ",$3," in
                *",${exe##*/},"* | *",${first##*/},"*) return 0 ;;
              esac
              return 1
            }
            """;

    /** Arguments: the process, its start, the signal, and to whom it goes. */
    private static final String SIGNAL = PROOF + """
            same "$1" "$2" || exit 0
            kill -"$3" "$4"
            """;

    /** The kernel's flag of a process on its way out. */
    private static final long PF_EXITING = 4;

    private static final long EXEC_BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    public OsProcess {
        programs = Set.copyOf(programs);
    }

    /** The process that has the id now, to be looked at only. */
    public OsProcess(long pid) {
        this(pid, startOf(pid), Set.of());
    }

    static OptionalLong startOf(long pid) {
        return ProcFs.stat(pid).stream().mapToLong(ProcFs.Stat::startTicks).findFirst();
    }

    /**
     * One that this process has started.
     *
     * @param programs which it becomes, besides those with which servers are started
     */
    public static OsProcess started(Process process, String... programs) {
        long pid = process.pid();
        OptionalLong start = startOf(pid);
        // Of one that has ended another may have the id by now.
        return new OsProcess(pid, process.isAlive() ? start : OptionalLong.empty(), Set.of(programs));
    }

    /** Whether it runs, stopped or not, and its command line contains the mark. */
    public boolean runs(String mark) {
        long deadline = System.nanoTime() + EXEC_BOUND_NANOS;
        // For a moment while a script becomes a server there is no command line, or the beginning of one; once it ends
        // there is none.
        while (alive()) {
            String line = ProcFs.commandLine(pid);
            if (line.replace('\0', ' ').contains(mark)) {
                return true;
            }
            if (line.endsWith("\0") || exiting() || System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(100_000);
        }
        return false;
    }

    private boolean exiting() {
        // One whose file cannot be read is gone meanwhile.
        return Io.or(true, () -> {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            String flags = line.substring(line.lastIndexOf(')') + 2).split(" ")[6];
            return (Long.parseLong(flags) & PF_EXITING) != 0;
        });
    }

    /** Whether it has not ended. */
    public boolean alive() {
        return stat().isPresent();
    }

    /**
     * Whether the kernel still lists it: it runs, or it has ended and its parent has not collected it yet. A server that only asks
     * whether there is a process of that number, as PostgreSQL does before it starts, takes such a one for running.
     */
    public boolean listed() {
        return startTicks.isPresent() && startTicks.equals(startOf(pid));
    }

    /** The kernel's record of this process only, and only while it has not ended. */
    private Optional<ProcFs.Stat> stat() {
        return ProcFs.stat(pid)
                .filter(stat -> !stat.ended())
                .filter(stat -> startTicks.isPresent() && stat.startTicks() == startTicks.getAsLong());
    }

    /** Stopped by a signal. */
    public boolean stopped() {
        return stat().map(ProcFs.Stat::stopped).orElse(false);
    }

    /** Its arguments, program first, with blanks between; empty when it has ended. */
    public String commandLine() {
        return String.join(" ", ProcFs.arguments(pid));
    }

    /** Its children that run one of its programs, and may be signalled as itself. */
    public List<OsProcess> children() {
        return ProcessHandle.of(pid).filter(handle -> alive()).stream()
                .flatMap(ProcessHandle::children)
                .map(child -> new OsProcess(child.pid(), startOf(child.pid()), programs))
                .filter(child -> child.runsOneOf(programs))
                .toList();
    }

    /** Whether its executable, or its argument 0, has one of the names. */
    public boolean runsOneOf(Set<String> names) {
        return alive() && (names.contains(executable()) || names.contains(first()));
    }

    private String executable() {
        try {
            // Of a program that was replaced meanwhile.
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "exe"))
                    .getFileName()
                    .toString()
                    .replaceFirst(" \\(deleted\\)$", "");
        } catch (IOException | RuntimeException e) {
            return ""; // it has ended, or is another user's
        }
    }

    private String first() {
        List<String> arguments = ProcFs.arguments(pid);
        return arguments.isEmpty() ? "" : arguments.get(0).replaceFirst(".*/", "");
    }

    /** The file of the program that it runs; empty when it has ended, or is another user's. */
    public Optional<Path> program() {
        return Io.or(Optional.empty(), () -> {
            Path file = Path.of("/proc", Long.toString(pid), "exe").toRealPath();
            return alive() ? Optional.of(file) : Optional.empty();
        });
    }

    /** Whether it is the program of that name, and not a script that will become it. */
    public boolean is(String program) {
        List<String> arguments = ProcFs.arguments(pid);
        return !arguments.isEmpty() && arguments.get(0).endsWith(program);
    }

    /** Whether it leads a process group. */
    public boolean leadsGroup() {
        return stat().filter(stat -> stat.group() == pid).isPresent();
    }

    /**
     * Sends SIGKILL; works for an interrupted thread as well. A process that is gone already is no error.
     *
     * @throws NodeControlException when it is not ours, or runs another program
     */
    public void kill() {
        // Before the proof: it is of this process and no later one.
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        if (alive()) {
            prove();
            handle.ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /**
     * Sends a signal by name, such as {@code STOP}; a process that is gone already is no error.
     *
     * @throws NodeControlException when it cannot be sent, or the process is not ours or runs another program
     */
    public void signal(String name) {
        send(name, Long.toString(pid));
    }

    /** As {@link #signal}, to the process group it leads: itself and whatever it started. */
    public void signalGroup(String name) {
        send(name, "-" + pid);
    }

    /** That it is ours and alive is known. */
    private void prove() {
        Set<String> may = new HashSet<>(programs);
        may.addAll(STARTERS); // asked for at once: a starter that just becomes the program is one of them at any time
        if (!alive() || !programs.isEmpty() && (runsOneOf(may) || exiting())) {
            return;
        }
        throw new NodeControlException("process " + pid + " (" + commandLine() + ") is left alone: "
                + (programs.isEmpty()
                        ? "nothing proves that it was started by this program"
                        : "it does not run " + String.join(" or ", new TreeSet<>(programs))
                                + ", as its pid file says; look what it is"));
    }

    private void send(String name, String target) {
        if (!alive()) {
            return;
        }
        prove();
        boolean interrupted = Thread.interrupted(); // a clean-up must not be cut short
        try {
            Process kill = new ProcessBuilder("sh", "-c", SIGNAL, "sh", Long.toString(pid), ticks(), name, target)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0 && alive()) {
                throw new NodeControlException("signal " + name + " to process " + pid + " failed: " + output.strip());
            }
        } catch (IOException e) {
            throw new NodeControlException("signal " + name + " to process " + pid + " failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Its start, for a script. */
    String ticks() {
        return startTicks.isPresent() ? Long.toString(startTicks.getAsLong()) : "";
    }

    /** All that it may run when it is signalled, for a script: names with commas between. */
    String names() {
        return String.join(",", programs) + "," + starters();
    }

    /** Those of them that any server may run before it is the server. */
    static String starters() {
        return String.join(",", STARTERS);
    }

    /** Asks it to end, and kills it when it has not by the bound; then waits for its end for as long again. */
    public void end(long boundMillis) {
        signal("TERM");
        if (!awaitEnd(boundMillis)) {
            kill();
            awaitEnd(boundMillis);
        }
    }

    /** Waits for its end, even when interrupted; false when it is still running after the bound. */
    public boolean awaitEnd(long boundMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(boundMillis);
        boolean interrupted = false;
        try {
            while (alive()) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
