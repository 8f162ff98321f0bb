package io.ycsbdrill.fault.node.cratedb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Asks a cluster by SQL over HTTP: the server that answered last, and when it fails the others in turn. Thread-safe. */
final class CrateDbSql {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOUND = Duration.ofSeconds(5);

    private final List<URI> servers;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(BOUND).build();
    private volatile int current;

    /** @param servers one or more, {@code http://host:port} */
    CrateDbSql(List<String> servers) {
        this.servers = servers.stream()
                .map(server -> URI.create(server.replaceAll("/+$", "") + "/_sql"))
                .toList();
    }

    /**
     * The rows of an answer.
     *
     * @throws NodeControlException when no server answers, or the one that does has an error
     */
    JsonNode rows(String statement) {
        byte[] body = JsonNodeFactory.instance
                .objectNode()
                .put("stmt", statement)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        StringBuilder reasons = new StringBuilder();
        for (int tried = 0; tried < servers.size(); tried++) {
            int server = current;
            try {
                return rows(servers.get(server), body);
            } catch (IOException e) {
                reasons.append("; ").append(servers.get(server)).append(": ").append(e);
                current = (server + 1) % servers.size();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NodeControlException("interrupted while asking " + servers.get(server), e);
            }
        }
        throw new NodeControlException("no server of CrateDB answers" + reasons);
    }

    private JsonNode rows(URI server, byte[] body) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = client.send(
                HttpRequest.newBuilder(server)
                        .timeout(BOUND)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        JsonNode answer = JSON.readTree(reply.body());
        if (reply.statusCode() != 200 || !answer.path("rows").isArray()) {
            throw new NodeControlException("CrateDB at " + server + " says HTTP " + reply.statusCode() + ": "
                    + answer.path("error").path("message").asText("no rows"));
        }
        return answer.get("rows");
    }
}
