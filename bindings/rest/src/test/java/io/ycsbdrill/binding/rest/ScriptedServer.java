package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.rest.dialect.Answers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that expects certain requests, one after the other over all connections, and answers each as it was told. What it
 * did not expect, it answers with 599 and remembers. Thread-safe.
 */
public final class ScriptedServer implements AutoCloseable {
    private static final int UNEXPECTED = 599;

    private final ServerSocket listening;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    private final Map<String, Answer> always = new ConcurrentHashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    /**
     * A request as it came.
     *
     * @param lines those of the headers, as they came
     * @param headers by name in lower case
     * @param body empty when there is none
     */
    public record Seen(String method, String path, List<String> lines, Map<String, String> headers, String body) {
        @Override
        public String toString() {
            return method + " " + path + (body.isEmpty() ? "" : " " + body);
        }
    }

    private record Step(String request, Answer answer) {}

    /** What becomes of a connection after a request. */
    public interface Answer {
        /** @return whether the connection goes on */
        boolean give(Socket connection, InputStream in, OutputStream out) throws IOException;
    }

    public ScriptedServer() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    public String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /**
     * The next request.
     *
     * @param request method, path and body, with a space between; as sent, without headers
     */
    public ScriptedServer expect(String request, Answer answer) {
        steps.add(new Step(request, answer));
        return this;
    }

    /** A request that may come at any time, as often as it likes. */
    public ScriptedServer always(String request, Answer answer) {
        always.put(request, answer);
        return this;
    }

    /** All requests so far that were expected, in order. */
    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** Everything that is wrong: requests that were not expected, and expected ones that have not come. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>(surprises);
        steps.forEach(step -> problems.add("has not come: " + step.request()));
        return problems;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listening.accept();
                connections.add(connection);
                daemon(() -> serve(connection));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            boolean more = true;
            while (more) {
                Seen request = read(in);
                if (request == null) {
                    return;
                }
                more = answerTo(request).give(connection, in, connection.getOutputStream());
            }
        } catch (IOException e) {
            // The client is gone.
        } finally {
            connections.remove(connection);
        }
    }

    private synchronized Answer answerTo(Seen request) {
        Step next = steps.peek();
        if (next != null && next.request().equals(request.toString())) {
            steps.remove();
            seen.add(request);
            return next.answer();
        }
        Answer usual = always.get(request.toString());
        if (usual != null) {
            return usual;
        }
        surprises.add("came:     " + request + "\nexpected: " + (next == null ? "nothing more" : next.request()));
        return Answers.text(UNEXPECTED, "not expected");
    }

    private static Seen read(InputStream in) throws IOException {
        String line = line(in);
        if (line == null) {
            return null;
        }
        String[] first = line.split(" ");
        List<String> lines = new ArrayList<>();
        Map<String, String> headers = new HashMap<>();
        for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
            lines.add(header);
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Seen(first[0], first[1], lines, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return null;
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
