package io.ycsbdrill.fault.node.kit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Asks a server for one page again and again, without waiting for the answers. What an answer says was true at some moment between
 * its question and its receipt, which may be the whole bound later. Owned by one thread, which never blocks.
 */
public final class HttpProbe {
    private final HttpClient client;
    private final HttpRequest question;
    private final long everyNanos;
    private Pending pending;

    private record Pending(long askedNanos, CompletableFuture<Reply> reply) {}

    private record Reply(HttpResponse<String> response, long receivedNanos, Instant received) {}

    /**
     * What a server answered.
     *
     * @param status of HTTP; 0 when no answer came
     * @param body empty when no answer came
     * @param askedNanos when the question was sent, on the scale of {@link System#nanoTime()}
     * @param receivedNanos when the answer came, or it was clear that none comes
     * @param received the same moment as wall-clock time
     */
    public record Answer(int status, String body, long askedNanos, long receivedNanos, Instant received) {
        /** When the answer came. */
        public Moment moment() {
            return new Moment(receivedNanos, received);
        }
    }

    /**
     * Describes the questions; none is sent yet.
     *
     * @param headers of each question
     * @param every the least time between two questions; a question is sent only when the one before it is answered
     * @param bound the longest wait for an answer
     */
    public HttpProbe(URI page, Map<String, String> headers, Duration every, Duration bound) {
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(bound)
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(page).timeout(bound);
        headers.forEach(request::header);
        this.question = request.build();
        this.everyNanos = every.toNanos();
    }

    /** The answer that came since the last call, if one did; sends the next question when it is due. */
    public Optional<Answer> poll() {
        Optional<Answer> answer = Optional.empty();
        long now = System.nanoTime();
        if (pending != null && pending.reply().isDone() && now - pending.askedNanos() >= everyNanos) {
            answer = Optional.of(answer(pending));
            pending = null;
        }
        if (pending == null) {
            pending = new Pending(
                    now,
                    client.sendAsync(question, BodyHandlers.ofString())
                            .thenApply(response -> new Reply(response, System.nanoTime(), Instant.now())));
        }
        return answer;
    }

    /** Gives up the question that is not answered yet: what it says is of a server that is no longer there. */
    public void forget() {
        if (pending != null) {
            pending.reply().cancel(true);
            pending = null;
        }
    }

    private static Answer answer(Pending pending) {
        try {
            Reply reply = pending.reply().join();
            return new Answer(
                    reply.response().statusCode(),
                    reply.response().body(),
                    pending.askedNanos(),
                    reply.receivedNanos(),
                    reply.received());
        } catch (CompletionException e) {
            return new Answer(0, "", pending.askedNanos(), System.nanoTime(), Instant.now());
        }
    }
}
