package io.ycsbdrill.fault.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Asks servers in JSON. Thread-safe. */
public final class JsonClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The longest wait for an answer when nothing is said about it. */
    public static final Duration BOUND = Duration.ofSeconds(5);

    private final HttpServers servers;
    private final List<URI> addresses;
    private final HttpClient client;

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param body missing when it is not JSON
     * @param text the body as it came
     */
    public record Answer(int status, JsonNode body, String text) {}

    /**
     * @param path added to each server's address
     * @throws IllegalArgumentException when an address is none
     * @throws NodeControlException when the certificates to trust cannot be read
     */
    public JsonClient(HttpServers servers, String path) {
        this.servers = servers;
        this.addresses = servers.addresses().stream()
                .map(server -> URI.create(server.replaceAll("/+$", "") + path))
                .toList();
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(BOUND);
        try {
            if (!servers.verify()) {
                builder.sslContext(TlsTrust.inAnybody());
            } else if (servers.authority().isPresent()) {
                builder.sslContext(TlsTrust.in(servers.authority().get()));
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new NodeControlException(
                    "the certificates to trust cannot be read from "
                            + servers.authority().map(Object::toString).orElse("Java's own") + ": " + e,
                    e);
        }
        this.client = builder.build();
    }

    /** Where the servers are asked, in the order given. */
    public List<URI> addresses() {
        return addresses;
    }

    /**
     * Asks one server.
     *
     * @param bound the longest time until its answer begins, the connection included
     * @throws IOException when it does not answer
     * @throws NodeControlException when the thread is interrupted
     */
    public Answer ask(URI server, JsonNode question, Duration bound) throws IOException {
        return send(
                server,
                HttpRequest.newBuilder(server)
                        .timeout(bound)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(question.toString(), StandardCharsets.UTF_8)));
    }

    /**
     * Reads a page of one server.
     *
     * @param bound as of {@link #ask}
     * @throws IOException when it does not answer
     * @throws NodeControlException when the thread is interrupted
     */
    public Answer read(URI page, Duration bound) throws IOException {
        return send(page, HttpRequest.newBuilder(page).timeout(bound).GET());
    }

    private Answer send(URI server, HttpRequest.Builder request) throws IOException {
        servers.headers().forEach(request::header);
        try {
            HttpResponse<byte[]> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(
                    reply.statusCode(), json(reply.body()), new String(reply.body(), StandardCharsets.UTF_8).strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while asking " + server, e);
        }
    }

    private static JsonNode json(byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            // A proxy's page, for example; the status says enough.
            return MissingNode.getInstance();
        }
    }
}
