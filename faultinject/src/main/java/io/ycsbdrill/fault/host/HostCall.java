package io.ycsbdrill.fault.host;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command line of this machine that does something on a host. Its text has no secrets. Immutable.
 *
 * @param line program and arguments; no shell of this machine reads them
 * @param input what it reads from standard input; empty for nothing
 */
public record HostCall(List<String> line, Optional<String> input) {
    /** The exit code with which ssh says that it has not reached the host, or has lost it. */
    public static final int NO_CONNECTION = 255;

    public HostCall {
        line = List.copyOf(line);
    }

    /**
     * Runs it to its end.
     *
     * @throws IOException when it cannot be run, or does not end in time
     */
    public ProgramOutput run(Duration bound) throws IOException {
        return ProgramOutput.of(line, input, bound);
    }

    /** The command as one could type it, secrets masked. */
    @Override
    public String toString() {
        String masked = Secrets.inCommand(line);
        String typed = line.stream().map(Transport::quoted).collect(Collectors.joining(" "));
        return (masked.contains(Secrets.MASK) ? masked : Secrets.inText(typed)) + (input.isPresent() ? " <SCRIPT" : "");
    }
}
