package io.ycsbdrill.client.cli.start;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.host.Transport;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

/** Words that {@code init} knows, for help and completion. */
final class InitNames {
    private InitNames() {}

    /** Databases. */
    public static final class Engines implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            InitCommand command = new InitCommand(CommandContext.ofProcess());
            return Stream.concat(command.localNames().stream(), command.hostedNames().stream())
                    .distinct()
                    .sorted()
                    .iterator();
        }
    }

    /** Ways to reach a host. */
    public static final class Transports implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Transport.values()).map(Transport::label).iterator();
        }
    }
}
