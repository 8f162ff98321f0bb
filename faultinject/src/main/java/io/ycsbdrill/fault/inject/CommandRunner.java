package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Printed;
import io.ycsbdrill.base.ProcessTree;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the user's own commands. Immutable.
 *
 * @param recoveryBound the longest time that a node may take to be healed
 */
record CommandRunner(Duration recoveryBound) implements FaultContext {
    private static final Duration STOP_BOUND = Duration.ofSeconds(120);
    private static final int TAIL_CHARS = 600;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private record Ended(int code, String output) {}

    @Override
    public Duration stopBound() {
        return STOP_BOUND;
    }

    @Override
    public void run(List<String> command, Duration bound) {
        Ended ended = end(command, bound);
        if (ended.code() != 0) {
            throw new NodeControlException("command " + Secrets.inCommand(command) + " exited with code " + ended.code()
                    + ", expected 0; its output: " + ended.output());
        }
    }

    @Override
    public int ask(List<String> command, Duration bound) {
        return end(command, bound).code();
    }

    @Override
    public void await(List<String> command, Duration bound) {
        AtomicReference<Ended> last = new AtomicReference<>();
        NodeLocks.await(
                recoveryBound,
                PAUSE,
                () -> {
                    last.set(end(command, bound));
                    return last.get().code() == 0;
                },
                () -> "command " + Secrets.inCommand(command) + " did not exit with code 0 within "
                        + recoveryBound.toSeconds() + " s; at last it exited with "
                        + last.get().code()
                        + ", its output: " + last.get().output());
    }

    private static Ended end(List<String> command, Duration bound) {
        try (Printed printed = Printed.by(new ProcessBuilder(command), Optional.empty())) {
            return await(command, printed, bound);
        } catch (IOException e) {
            throw new NodeControlException(
                    "command " + Secrets.inCommand(command) + " cannot be started: " + e.getMessage(), e);
        }
    }

    private static Ended await(List<String> command, Printed printed, Duration bound) throws IOException {
        Process process = printed.process();
        try {
            if (!process.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                ProcessTree.kill(process);
                throw new NodeControlException("command " + Secrets.inCommand(command) + " did not end within "
                        + bound.toMillis() + " ms and was terminated; its output: " + tail(printed));
            }
        } catch (InterruptedException e) {
            ProcessTree.kill(process);
            Thread.currentThread().interrupt();
            throw new NodeControlException(
                    "command " + Secrets.inCommand(command) + " was terminated because the drill is stopping", e);
        }
        return new Ended(process.exitValue(), tail(printed));
    }

    private static String tail(Printed printed) throws IOException {
        String text = new String(printed.more(), Charset.defaultCharset()).strip();
        // Masked with more before it, so that none is cut where it can no longer be known.
        String masked = Secrets.inText(text.substring(Math.max(0, text.length() - 10 * TAIL_CHARS)));
        return "\"" + masked.substring(Math.max(0, masked.length() - TAIL_CHARS)) + "\"";
    }
}
