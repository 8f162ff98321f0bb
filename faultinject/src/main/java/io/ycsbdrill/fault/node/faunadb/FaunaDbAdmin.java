package io.ycsbdrill.fault.node.faunadb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** Changes a cluster through its nodes' administration ports. Each request is bounded. Thread-safe. */
final class FaunaDbAdmin {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final String DATA = "data+log";
    private static final String NO_DATA = "compute";

    private final FaunaDbSettings settings;
    private final String rootKey;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LOOK)
            .build();

    FaunaDbAdmin(FaunaDbSettings settings, String rootKey) {
        this.settings = settings;
        this.rootKey = rootKey;
    }

    /** The headers that a question to an administration port needs. */
    static Map<String, String> headers(String rootKey) {
        String user = Base64.getEncoder().encodeToString((rootKey + ":").getBytes(StandardCharsets.UTF_8));
        return Map.of("Authorization", "Basic " + user, "Content-Type", "application/json");
    }

    /** Whether the node's administration port answers, whatever it says. */
    boolean answers(String node) {
        return Io.or(false, () -> {
            send(request(settings.admin(node, "/admin/status"), LOOK).GET());
            return true;
        });
    }

    /** Whether the node takes writes. */
    boolean writable(String node) {
        return Io.or(
                false,
                () -> send(HttpRequest.newBuilder(settings.http(node, "/ping?scope=write"))
                                        .timeout(LOOK)
                                        .GET())
                                .statusCode()
                        == 200);
    }

    /** Makes the node the first one of a new cluster. */
    void init(String node) {
        change(node, "POST", "/admin/init", JSON.createObjectNode().put("replica_name", settings.replica(node)), "");
    }

    /** Has a new node join the cluster of another. */
    void join(String node, String other) {
        ObjectNode body = JSON.createObjectNode()
                .put("seed", FaunaDbSettings.address(other) + ":" + settings.peerPort())
                .put("replica_name", settings.replica(node));
        change(node, "POST", "/admin/join", body, "");
    }

    /** Gives each replica a copy of all data. */
    void replicate(String by) {
        Map<String, String> types = new TreeMap<>();
        settings.names().forEach(node -> types.put(settings.replica(node), DATA));
        types(by, types);
    }

    /** Takes a node that is down out of the cluster, with the replica in which it is the only one. */
    void remove(String node, String by) {
        types(by, Map.of(settings.replica(node), NO_DATA));
        for (JsonNode each : get(by, "/admin/status").path("nodes")) {
            if (each.path("address").asText().equals(FaunaDbSettings.address(node))) {
                ObjectNode body = JSON.createObjectNode()
                        .put("nodeID", each.path("host_id").asText())
                        .put("force", true)
                        .put("allow_unclean", true);
                change(by, "POST", "/admin/remove_node", body, "");
            }
        }
    }

    /** Changes the types of these replicas and leaves the others as they are. */
    private void types(String by, Map<String, String> changed) {
        HttpResponse<String> now = exchange(
                by, request(settings.admin(by, "/admin/replication"), BOUND).GET());
        Map<String, String> types = new TreeMap<>();
        for (JsonNode replica : json(now).path("resource").path("replicas")) {
            types.put(replica.path("name").asText(), replica.path("type").asText());
        }
        types.putAll(changed);
        ObjectNode body = JSON.createObjectNode();
        ArrayNode replicas = body.putArray("replicas");
        types.forEach((name, type) -> replicas.addObject().put("name", name).put("type", type));
        change(
                by,
                "PUT",
                "/admin/replication",
                body,
                now.headers().firstValue("etag").orElse(""));
    }

    /** Makes the database, if need be, and returns the secret of a new key for it. */
    String createKey(String database) {
        ObjectNode body = JSON.createObjectNode()
                .put(
                        "query",
                        "if (Database.byName(db) == null) { Database.create({name: db}) }\n"
                                + "Key.create({role: \"server\", database: db}).secret");
        body.putObject("arguments").put("db", database);
        String node = settings.names().get(0);
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.http(node, "/query/1"))
                .timeout(BOUND)
                .header("Authorization", "Bearer " + rootKey)
                .header("x-format", "simple")
                .header("x-typecheck", "false")
                .POST(BodyPublishers.ofString(body.toString()));
        String secret = json(exchange(node, request)).path("data").asText();
        if (secret.isEmpty()) {
            throw new NodeControlException(node + " gave no key for the database " + database);
        }
        return secret;
    }

    private JsonNode get(String node, String path) {
        return json(exchange(node, request(settings.admin(node, path), BOUND).GET()));
    }

    private void change(String node, String method, String path, JsonNode body, String ifMatch) {
        HttpRequest.Builder request =
                request(settings.admin(node, path), BOUND).method(method, BodyPublishers.ofString(body.toString()));
        if (!ifMatch.isEmpty()) {
            request.header("If-Match", ifMatch);
        }
        exchange(node, request);
    }

    private HttpRequest.Builder request(URI page, Duration bound) {
        HttpRequest.Builder request = HttpRequest.newBuilder(page).timeout(bound);
        headers(rootKey).forEach(request::header);
        return request;
    }

    /** @throws NodeControlException unless the node does it */
    private HttpResponse<String> exchange(String node, HttpRequest.Builder request) {
        URI page = request.build().uri();
        HttpResponse<String> reply = NodeIo.get(node + " does not answer at " + page, () -> send(request));
        if (reply.statusCode() / 100 != 2) {
            throw new NodeControlException(
                    node + " refuses " + page + ": HTTP " + reply.statusCode() + " " + reply.body());
        }
        return reply;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while asking FaunaDB", e);
        }
    }

    private static JsonNode json(HttpResponse<String> reply) {
        return NodeIo.get("FaunaDB's answer at " + reply.uri() + " is not JSON", () -> JSON.readTree(reply.body()));
    }
}
