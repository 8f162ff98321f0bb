package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.session.PropertyReader;
import io.ycsbdrill.client.session.ShareCalculator;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Several clients of one run, and their start; a picocli mixin. */
public final class ClientOptions {
    private static final long MOST = 256;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description =
                    "Run N clients, each a process of its own, and merge them: this one, and the others on this machine or"
                            + " on the hosts of --on (default there: one on each); operationcount, -target and the keys"
                            + " are shared among them. See docs/several-clients.md.")
    private String clients;

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            description =
                    "When to start, by this machine's clock: 2026-11-21T14:00:00Z, or +30s from now (default: at once).")
    private String startAt;

    @Option(
            names = "--client",
            paramLabel = "I/N",
            description = "This is client I of N; operationcount, -target and the keys are shared among them. See"
                    + " docs/several-clients.md.")
    private String client;

    private int hosts;

    /** There are so many hosts for clients: without the option one is started on each. */
    public void on(int clientHosts) {
        hosts = clientHosts;
    }

    /** How many clients there are to be; 1 when it is invalid, which {@link #part} reports. */
    public int count() {
        return (int) count(new Problems());
    }

    private long count(Problems problems) {
        return PropertyReader.option("--clients", clients, client == null ? 1 + hosts : 1, 1, MOST, problems);
    }

    /** The option as typed that says that there may be several clients, for messages. */
    public Optional<String> several() {
        return count() > 1
                ? Optional.of("--clients " + count())
                : Optional.ofNullable(client).map(text -> "--client " + text);
    }

    /**
     * Which of several clients this is. Cuts the properties to its share; with {@code --clients} they stay those of all.
     *
     * @param problems notified of everything that several clients cannot do
     */
    ClientShare part(Mode mode, Properties properties, Problems problems) {
        int count = (int) count(problems);
        if (clients != null && client != null) {
            problems.add(
                    "--clients " + clients + " and --client " + client + " exclude each other: --clients starts all"
                            + " clients, --client is for one client on each of several machines");
            return ClientShare.WHOLE;
        }
        if (count > 1) {
            ShareCalculator.check(count, mode, properties, problems);
            return ClientShare.WHOLE;
        }
        return ShareCalculator.of(client, mode, properties, problems);
    }

    /** When to start; empty when as soon as possible. */
    Optional<Instant> start(Problems problems) {
        try {
            return Optional.ofNullable(startAt).map(text -> StartTime.parse(text, Instant.now()));
        } catch (IllegalArgumentException e) {
            problems.add("--start-at: " + e.getMessage());
            return Optional.empty();
        }
    }
}
