package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the user's own commands. Stateless. */
final class CommandRunner implements FaultContext {
    private static final Duration STOP_BOUND = Duration.ofSeconds(120);
    private static final int TAIL_CHARS = 600;

    @Override
    public Duration stopBound() {
        return STOP_BOUND;
    }

    @Override
    public void run(List<String> command, Duration bound) {
        Path output = null;
        try {
            output = Files.createTempFile("ycsb-drill-command", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(output.toFile())
                    .start();
            await(command, process, bound, output);
        } catch (IOException e) {
            throw new NodeControlException("command " + command + " cannot be started: " + e.getMessage(), e);
        } finally {
            delete(output);
        }
    }

    private static void await(List<String> command, Process process, Duration bound, Path output) throws IOException {
        try {
            if (!process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                end(process);
                throw new NodeControlException("command " + command + " did not end within " + bound.toMillis()
                        + " ms and was terminated; its output: " + tail(output));
            }
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
            throw new NodeControlException("command " + command + " was terminated because the drill is stopping", e);
        }
        if (process.exitValue() != 0) {
            throw new NodeControlException("command " + command + " exited with code " + process.exitValue()
                    + ", expected 0; its output: " + tail(output));
        }
    }

    /** The command and what it started itself. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String tail(Path output) throws IOException {
        String text = new String(Files.readAllBytes(output), Charset.defaultCharset()).strip();
        return "\"" + text.substring(Math.max(0, text.length() - TAIL_CHARS)) + "\"";
    }

    private static void delete(Path output) {
        try {
            if (output != null) {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            output.toFile().deleteOnExit();
        }
    }
}
