package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.stream.Stream;

/**
 * How a server is asked how it is.
 *
 * @param kind of the question
 * @param question templates: a URL, an address, or the words of a command
 * @param send what is written to the address; empty for nothing
 * @param recovered what is in the answer of a server that has recovered
 * @param primary the same for the primary, where it is another
 * @param position the number in an answer up to which a server has the data, as its only group; empty when it says none
 */
record Probe(
        Kind kind,
        List<String> question,
        String send,
        Words recovered,
        Optional<Words> primary,
        Optional<Words> position) {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final int MOST_BYTES = 1 << 16;

    /** What is asked; the words are keys of the file. */
    enum Kind {
        /** The body of a page that is served with 200. */
        HTTP,
        /** What comes over a connection. */
        TCP,
        /** What a program prints that ends with 0. */
        COMMAND
    }

    /** @param nanos when the last of it came, on the scale of {@link System#nanoTime()} */
    record Answer(String text, long nanos) {
        static Answer now(String text) {
            return new Answer(text, System.nanoTime());
        }
    }

    Probe {
        question = List.copyOf(question);
    }

    /** The same, asked in other words. */
    Probe asking(List<String> other) {
        return new Probe(kind, other, send, recovered, primary, position);
    }

    /** Whether the answer is that of a server that has recovered. */
    boolean recovered(String answer, boolean asPrimary) {
        return (asPrimary ? primary.orElse(recovered) : recovered).in(answer);
    }

    /** The number in the answer; -1 when there is none, or the answer ends with it: more of its digits may be missing. */
    long position(String answer) {
        Optional<MatchResult> found = position.orElseThrow().find(answer);
        try {
            return found.filter(at -> at.group(1) != null
                            && at.end(1) < answer.length()
                            && !Character.isDigit(answer.charAt(at.end(1))))
                    .map(at -> Long.parseLong(at.group(1)))
                    .orElse(-1L);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** All that is looked for in answers. */
    Stream<Words> words() {
        return Stream.of(Optional.of(recovered), primary, position).flatMap(Optional::stream);
    }

    /**
     * Asks, and waits for the answer for a second in all. Of a longer one there are the first 64 KiB.
     *
     * @param fill fills in a template
     * @param programs have the environment of commands
     * @param silence after which a server has answered that has said something
     * @throws IOException when there is none
     */
    Answer ask(UnaryOperator<String> fill, HttpClient http, Programs programs, Duration silence)
            throws IOException, InterruptedException {
        List<String> words = question.stream().map(fill).toList();
        Answer answer =
                switch (kind) {
                    case HTTP -> Answer.now(overHttp(URI.create(words.get(0)), http));
                    case TCP -> overTcp(words.get(0), fill.apply(send), silence);
                    case COMMAND -> {
                        ProgramOutput printed = ProgramOutput.of(words, programs::environment, BOUND);
                        if (printed.exit() != 0) {
                            throw new IOException("exit status " + printed.exit());
                        }
                        yield Answer.now(printed.text());
                    }
                };
        String text = answer.text();
        return new Answer(text.substring(0, Math.min(text.length(), MOST_BYTES)), answer.nanos());
    }

    /** The client's own bound ends with the headers. */
    private static String overHttp(URI page, HttpClient http) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> reply =
                http.sendAsync(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
        try {
            HttpResponse<String> response = reply.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                throw new IOException("HTTP status " + response.statusCode());
            }
            return response.body();
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        } finally {
            reply.cancel(true);
        }
    }

    private static Answer overTcp(String address, String line, Duration silence) throws IOException {
        int colon = address.lastIndexOf(':');
        long deadline = System.nanoTime() + BOUND.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    (int) BOUND.toMillis());
            socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[MOST_BYTES];
            int length = 0;
            long last = System.nanoTime();
            try {
                for (int read = 1; length < MOST_BYTES && read > 0; length += Math.max(0, read)) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) {
                        break;
                    }
                    socket.setSoTimeout((int) (length == 0 ? left : Math.min(left, silence.toMillis())));
                    read = in.read(answer, length, MOST_BYTES - length);
                    last = System.nanoTime();
                }
            } catch (SocketTimeoutException e) {
                // what has come is the answer
            }
            if (length == 0) {
                throw new IOException("no answer from " + address);
            }
            return new Answer(new String(answer, 0, length, StandardCharsets.UTF_8), last);
        }
    }
}
