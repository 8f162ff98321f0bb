package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process of this machine by pid, for the engines' controllers; needs {@code /proc}. One that has ended but was not yet
 * collected by its parent counts as gone, and so does one whose id another process has now. Immutable and thread-safe.
 *
 * @param pid its id
 * @param startTicks when it was started, in clock ticks since boot; empty when no process had the id
 */
public record OsProcess(long pid, OptionalLong startTicks) {
    /** The kernel's flag of a process on its way out. */
    private static final long PF_EXITING = 4;

    private static final long EXEC_BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The process that has the id now. */
    public OsProcess(long pid) {
        this(pid, ProcFs.stat(pid).stream().mapToLong(ProcFs.Stat::startTicks).findFirst());
    }

    /** What a pid file holds of a process: its id and when it was started, so that a later one with this id is not taken for it. */
    public static String record(long pid) {
        OptionalLong start = new OsProcess(pid).startTicks();
        return pid + (start.isPresent() ? " " + start.getAsLong() : "") + "\n";
    }

    /** The process that the file records, if it runs and its command line contains the mark. */
    public static Optional<OsProcess> recorded(Path pidFile, String mark) {
        try {
            String[] words = Files.readString(pidFile).strip().split(" ");
            long pid = Long.parseLong(words[0]);
            OsProcess process = words.length > 1
                    ? new OsProcess(pid, OptionalLong.of(Long.parseLong(words[1])))
                    : new OsProcess(pid);
            return process.runs(mark) ? Optional.of(process) : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty(); // no file, no process of ours
        }
    }

    /** The processes of the pid files {@code *.pid} in a directory, in order of the files' names; none when it is not there. */
    public static List<OsProcess> allRecorded(Path run, String mark) {
        if (!Files.isDirectory(run)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(run)) {
            return files.filter(f -> f.toString().endsWith(".pid"))
                    .sorted()
                    .flatMap(f -> recorded(f, mark).stream())
                    .toList();
        } catch (IOException e) {
            throw new NodeControlException("cannot list " + run + ": " + e.getMessage(), e);
        }
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
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            String flags = line.substring(line.lastIndexOf(')') + 2).split(" ")[6];
            return (Long.parseLong(flags) & PF_EXITING) != 0;
        } catch (IOException e) {
            return true; // gone meanwhile
        }
    }

    /** Whether it has not ended. */
    public boolean alive() {
        return stat().isPresent();
    }

    /** Of this process only, and only while it has not ended. */
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

    /** Children that run and whose command line contains the mark. */
    public List<OsProcess> children(String mark) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(child -> new OsProcess(child.pid()))
                .filter(child -> child.runs(mark))
                .toList();
    }

    /** The file of the program that it runs; empty when it has ended, or is another user's. */
    public Optional<Path> program() {
        try {
            Path file = Path.of("/proc", Long.toString(pid), "exe").toRealPath();
            return alive() ? Optional.of(file) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
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

    /** Sends SIGKILL; works for an interrupted thread as well. */
    public void kill() {
        if (alive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /**
     * Sends a signal by name, such as {@code STOP}; a process that is gone already is no error.
     *
     * @throws NodeControlException when it cannot be sent
     */
    public void signal(String name) {
        if (alive()) {
            send(name, Long.toString(pid));
        }
    }

    /** As {@link #signal}, to the process group it leads: itself and whatever it started. */
    public void signalGroup(String name) {
        send(name, "-" + pid);
    }

    private void send(String name, String target) {
        boolean interrupted = Thread.interrupted(); // a clean-up must not be cut short
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -\"$1\" \"$2\"", "sh", name, target)
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
