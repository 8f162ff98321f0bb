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
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a server is asked how it is. Immutable.
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
        Pattern recovered,
        Optional<Pattern> primary,
        Optional<Pattern> position) {
    private static final Duration BOUND = Duration.ofSeconds(1);
    /** A server that has said so much and is silent for so long has answered. */
    private static final int SILENCE_MILLIS = 20;

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

    Probe {
        question = List.copyOf(question);
    }

    /** The same, asked in other words. */
    Probe asking(List<String> other) {
        return new Probe(kind, other, send, recovered, primary, position);
    }

    /** Whether the answer is that of a server that has recovered. */
    boolean recovered(String answer, boolean asPrimary) {
        return (asPrimary ? primary.orElse(recovered) : recovered)
                .matcher(answer)
                .find();
    }

    /** The number in the answer; -1 when there is none. */
    long position(String answer) {
        Matcher found = position.orElseThrow().matcher(answer);
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }

    /**
     * Asks, and waits for the answer for a second.
     *
     * @param fill fills in a template
     * @throws IOException when there is none
     */
    String ask(UnaryOperator<String> fill, HttpClient http) throws IOException, InterruptedException {
        List<String> words = question.stream().map(fill).toList();
        switch (kind) {
            case HTTP -> {
                var reply = http.send(
                        HttpRequest.newBuilder(URI.create(words.get(0)))
                                .timeout(BOUND)
                                .build(),
                        BodyHandlers.ofString());
                if (reply.statusCode() != 200) {
                    throw new IOException("HTTP status " + reply.statusCode());
                }
                return reply.body();
            }
            case TCP -> {
                return overTcp(words.get(0), fill.apply(send));
            }
            default -> {
                ProgramOutput printed = ProgramOutput.of(new ArrayList<>(words), BOUND);
                if (printed.exit() != 0) {
                    throw new IOException("exit status " + printed.exit());
                }
                return printed.text();
            }
        }
    }

    private static String overTcp(String address, String line) throws IOException {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    (int) BOUND.toMillis());
            socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
            socket.setSoTimeout((int) BOUND.toMillis());
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[MOST_BYTES];
            int length = 0;
            try {
                for (int read; length < MOST_BYTES && (read = in.read(answer, length, MOST_BYTES - length)) > 0; ) {
                    length += read;
                    socket.setSoTimeout(SILENCE_MILLIS);
                }
            } catch (SocketTimeoutException e) {
                if (length == 0) {
                    throw e;
                }
            }
            return new String(answer, 0, length, StandardCharsets.UTF_8);
        }
    }
}
