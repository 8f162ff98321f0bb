package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.kit.Moment;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Asks one server again and again by a {@link Probe}, each time on a thread of its own that ends with the answer. Owned by one thread. */
final class Asker {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();

    private final String name;
    private final Probe probe;
    private final UnaryOperator<String> fill;
    private final Programs programs;
    private final Duration every;
    private CompletableFuture<Answer> pending;
    private long askedNanos;

    /**
     * What a server answered; its times are on the scale of {@link System#nanoTime()}.
     *
     * @param text empty when no answer came
     */
    record Answer(Optional<String> text, long askedNanos, long receivedNanos, Instant received) {}

    /** @param every from one question to the next; who has said something and is silent for half of that has answered */
    Asker(String name, Probe probe, UnaryOperator<String> fill, Programs programs, Duration every) {
        this.every = every;
        this.name = name;
        this.probe = probe;
        this.fill = fill;
        this.programs = programs;
    }

    /** The answer that came since the last call, if one did, or that none came; asks again when it is time. */
    Optional<Answer> poll() {
        Optional<Answer> answer = Optional.empty();
        if (pending != null && pending.isDone()) {
            answer = Optional.of(pending.join());
            pending = null;
        }
        long now = System.nanoTime();
        if (pending == null && (askedNanos == 0 || now - askedNanos >= every.toNanos())) {
            askedNanos = now;
            CompletableFuture<Answer> next = new CompletableFuture<>();
            pending = next;
            Daemon.thread(() -> next.complete(ask(now)), "declared-probe-" + name)
                    .start();
        }
        return answer;
    }

    private Answer ask(long asked) {
        Optional<Probe.Answer> answer = Optional.empty();
        try {
            answer = Optional.of(probe.ask(fill, HTTP, programs, every.dividedBy(2)));
        } catch (IOException | RuntimeException e) {
            // none came
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Moment now = Moment.now();
        long received = answer.map(Probe.Answer::nanos).orElse(now.nanos());
        return new Answer(
                answer.map(Probe.Answer::text), asked, received, now.wall().minusNanos(now.nanos() - received));
    }
}
