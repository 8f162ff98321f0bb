package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/**
 * Asks Patroni for another primary, by its own interface. Thread-safe.
 *
 * @param rest Patroni's own address by node
 */
record PatroniOrders(Map<String, String> rest, PatroniFiles files) {
    /** Patroni waits for its loop_wait, at most a minute, and for the new primary. */
    private static final Duration BOUND = Duration.ofMinutes(3);

    /** One for all clusters: each has a thread of its own, which outlives its use. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * Asks for it and returns when there is another primary.
     *
     * @param role of the node in what is asked for: the leader that hands over, or the candidate that takes over
     * @throws NodeControlException why there is none
     */
    void give(String node, String what, String role) {
        NodeIo.run(
                "Patroni of " + node + " does not answer",
                () -> post(
                        rest.get(node) + "/" + what,
                        "{\"" + role + "\": \"" + node + "\"}",
                        "Patroni of " + node,
                        "makes no " + what,
                        PatroniConfig.authorization(files.configuration(node))));
    }

    /**
     * Asks a server for something and returns when it is done.
     *
     * @param refusal what the server does not do, for the message
     * @param headers name, value, name, value
     * @throws IOException when it does not answer
     * @throws NodeControlException when it refuses
     */
    static void post(String place, String body, String server, String refusal, String... headers) throws IOException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + place))
                    .timeout(BOUND)
                    .POST(BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                throw new NodeControlException(
                        server + " " + refusal + ": " + answer.body().strip() + " (" + answer.statusCode() + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while " + server + " was asked", e);
        }
    }
}
