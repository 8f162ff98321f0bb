package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeControlException;
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
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + rest.get(node) + "/" + what))
                    .timeout(BOUND)
                    .headers(PatroniConfig.authorization(files.configuration(node)))
                    .POST(BodyPublishers.ofString("{\"" + role + "\": \"" + node + "\"}"))
                    .build();
            HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                throw new NodeControlException("Patroni of " + node + " makes no " + what + ": "
                        + answer.body().strip() + " (" + answer.statusCode() + ")");
            }
        } catch (IOException e) {
            throw new NodeControlException("Patroni of " + node + " does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while Patroni makes a " + what, e);
        }
    }
}
