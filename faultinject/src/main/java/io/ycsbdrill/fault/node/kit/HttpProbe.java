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
 * Asks a server for one page again and again, without waiting for the answers. An answer is dated by the moment at which its
 * question was sent, at which what it says was true at the latest. Owned by one thread, which never blocks.
 */
public final class HttpProbe {
    private final HttpClient client;
    private final HttpRequest question;
    private final long everyNanos;
    private Pending pending;

    private record Pending(long askedNanos, Instant asked, CompletableFuture<HttpResponse<String>> reply) {}

    /**
     * What a server answered.
     *
     * @param status of HTTP; 0 when no answer came
     * @param body empty when no answer came
     * @param askedNanos when the question was sent, on the scale of {@link System#nanoTime()}
     * @param asked the same moment as wall-clock time
     */
    public record Answer(int status, String body, long askedNanos, Instant asked) {}

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
            pending = new Pending(now, Instant.now(), client.sendAsync(question, BodyHandlers.ofString()));
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
            HttpResponse<String> reply = pending.reply().join();
            return new Answer(reply.statusCode(), reply.body(), pending.askedNanos(), pending.asked());
        } catch (CompletionException e) {
            return new Answer(0, "", pending.askedNanos(), pending.asked());
        }
    }
}
