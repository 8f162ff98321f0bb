package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process of this machine by pid. A process that has ended but was not yet collected by its
 * parent counts as gone.
 *
 * @param pid its id
 */
record OsProcess(long pid) {

    /** The process whose pid the file holds, if it runs and its command line contains the mark. */
    static Optional<OsProcess> recorded(Path pidFile, String mark) {
        try {
            OsProcess process =
                    new OsProcess(Long.parseLong(Files.readString(pidFile).strip()));
            return process.runs(mark) ? Optional.of(process) : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty(); // no file, no process of ours
        }
    }

    boolean runs(String mark) {
        return alive() && commandLine().contains(mark);
    }

    boolean alive() {
        return !ProcFs.stat(pid).map(ProcFs.Stat::ended).orElse(true);
    }

    /** Stopped by a signal. */
    boolean stopped() {
        return ProcFs.stat(pid).map(ProcFs.Stat::stopped).orElse(false);
    }

    String commandLine() {
        return String.join(" ", ProcFs.arguments(pid));
    }

    /** Children that run and whose command line contains the mark. */
    List<OsProcess> children(String mark) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(child -> new OsProcess(child.pid()))
                .filter(child -> child.runs(mark))
                .toList();
    }

    /** Sends SIGKILL; works for an interrupted thread as well. */
    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Sends a signal by name, such as {@code STOP}; a process that is gone already is no error. */
    void signal(String name) {
        try {
            ProgramOutput output = ProgramOutput.of(List.of("sh", "-c", "kill -" + name + " " + pid));
            if (output.exit() != 0 && alive()) {
                throw new NodeControlException(
                        "signal " + name + " to process " + pid + " failed: " + output.firstLine());
            }
        } catch (IOException e) {
            throw new NodeControlException("signal " + name + " to process " + pid + " failed: " + e.getMessage(), e);
        }
    }

    /** Waits for its end; false when it is still there after the bound. */
    boolean awaitEnd(long boundMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(boundMillis);
        while (alive()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            NdbController.pause(java.time.Duration.ofMillis(5));
        }
        return true;
    }
}
