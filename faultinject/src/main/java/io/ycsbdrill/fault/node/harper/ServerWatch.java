package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.kit.HttpProbe;
import io.ycsbdrill.fault.node.kit.HttpProbe.Answer;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Looks after the server's process and, until it serves, asks both of its ports, on a thread of its own, {@code harper-watch}. A
 * server that has answered once is not asked again: how it serves is measured by the load.
 */
final class ServerWatch extends HistoryWatch<ServerHistory> {
    private static final Duration EVERY = Duration.ofMillis(50);
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

    private final Supplier<Optional<OsProcess>> processes;
    private final HttpProbe rest;
    private final HttpProbe operations;
    private OsProcess process;
    private boolean restAnswers;
    private boolean operationsAnswer;

    /** @param processes the server's process if it runs now */
    ServerWatch(HarperSettings settings, Supplier<Optional<OsProcess>> processes) {
        super(
                "harper-watch",
                listener ->
                        new ServerHistory(HarperCluster.NODE, settings.home().version(), listener));
        this.processes = processes;
        this.rest = probe(settings.restPort());
        this.operations = probe(settings.operationsPort());
    }

    private static HttpProbe probe(int port) {
        return new HttpProbe(URI.create("http://127.0.0.1:" + port + "/health"), Map.of(), EVERY, BOUND);
    }

    /** A server that serves answers within a moment, so that its state is known from the beginning. */
    @Override
    protected void readFirst(ServerHistory history) {
        long deadline = System.nanoTime() + FIRST_LOOK.toNanos();
        read(history);
        while (history.starting() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            read(history);
        }
    }

    @Override
    protected void read(ServerHistory history) {
        OsProcess now = processes.get().orElse(null);
        long atNanos = System.nanoTime();
        Instant wall = Instant.now();
        if (process != null && !process.equals(now)) {
            history.processEnded(process.pid(), atNanos, wall);
        }
        if (now != null && !now.equals(process)) {
            history.processSeen(now.pid(), atNanos, wall);
            rest.forget();
            operations.forget();
            restAnswers = false;
            operationsAnswer = false;
        }
        process = now;
        if (history.starting()) {
            ask(history);
        }
    }

    /** REST answers {@code /health} with 404, which is an answer as well; the operations API knows the page. */
    private void ask(ServerHistory history) {
        Optional<Answer> here = restAnswers ? Optional.empty() : rest.poll().filter(answer -> answer.status() != 0);
        restAnswers |= here.isPresent();
        Optional<Answer> there =
                operationsAnswer ? Optional.empty() : operations.poll().filter(answer -> answer.status() == 200);
        operationsAnswer |= there.isPresent();
        if (restAnswers && operationsAnswer) {
            Answer last = later(here, there);
            history.answers(last.receivedNanos(), last.received());
        }
    }

    /** The later answer among those that came now; there is at least one. */
    private static Answer later(Optional<Answer> one, Optional<Answer> other) {
        if (one.isPresent() && other.isPresent()) {
            return one.get().receivedNanos() - other.get().receivedNanos() > 0 ? one.get() : other.get();
        }
        return one.or(() -> other).orElseThrow();
    }
}
