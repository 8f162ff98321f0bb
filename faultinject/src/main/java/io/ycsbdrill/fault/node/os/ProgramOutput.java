package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Printed;
import io.ycsbdrill.base.ProcessTree;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a short-lived program printed, both streams together, and how it ended. Immutable.
 *
 * @param exit its exit code
 * @param text never null
 */
public record ProgramOutput(int exit, String text) {
    private static final Duration BOUND = Duration.ofSeconds(60);

    /**
     * As {@link #of(List, Duration)}, within a minute.
     *
     * @throws IOException when it cannot be run or does not end in time
     */
    public static ProgramOutput of(List<String> command) throws IOException {
        return of(command, BOUND);
    }

    /**
     * Runs the program, without input, to its end.
     *
     * @throws IOException when it cannot be run or does not end in time
     */
    public static ProgramOutput of(List<String> command, Duration bound) throws IOException {
        return of(command, Map.of(), bound);
    }

    /**
     * As {@link #of(List, Duration)}, with something to read.
     *
     * @param input for standard input; empty for nothing
     * @throws IOException when it cannot be run or does not end in time
     */
    public static ProgramOutput of(List<String> command, Optional<String> input, Duration bound) throws IOException {
        return of(command, environment -> {}, input, bound);
    }

    /**
     * As {@link #of(List, Duration)}, with variables of the environment that are added or replaced.
     *
     * @throws IOException when it cannot be run or does not end in time
     */
    public static ProgramOutput of(List<String> command, Map<String, String> variables, Duration bound)
            throws IOException {
        return of(command, environment -> environment.putAll(variables), bound);
    }

    /**
     * As {@link #of(List, Duration)}, with the variables of its environment changed.
     *
     * @throws IOException when it cannot be run or does not end in time
     */
    public static ProgramOutput of(List<String> command, Consumer<Map<String, String>> environment, Duration bound)
            throws IOException {
        return of(command, environment, Optional.empty(), bound);
    }

    private static ProgramOutput of(
            List<String> command, Consumer<Map<String, String>> environment, Optional<String> input, Duration bound)
            throws IOException {
        ProcessBuilder program = new ProcessBuilder(command);
        environment.accept(program.environment());
        try (Printed printed = Printed.by(program, input)) {
            Process process = printed.process();
            try {
                if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(command.get(0) + " did not end within " + bound.toMillis() + " ms");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for " + command.get(0), e);
            } finally {
                // Whatever it does is done when this returns, also when it was cut short, and what a script has
                // started.
                ProcessTree.kill(process);
                process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
            }
            return new ProgramOutput(process.exitValue(), new String(printed.more(), StandardCharsets.UTF_8));
        } catch (ClosedByInterruptException e) { // while its input or output was in hand; the thread stays interrupted
            throw new IOException("interrupted while waiting for " + command.get(0), e);
        }
    }

    /** The first line without blanks around it; empty when nothing was printed. */
    public String firstLine() {
        return text.lines().findFirst().orElse("").strip();
    }
}
