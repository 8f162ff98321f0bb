package io.ycsbdrill.fault.node.cratedb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.http.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** Asks a cluster by SQL over HTTP: the server that answered last, and when it fails the others in turn. Thread-safe. */
final class CrateDbSql {
    private final JsonClient questions;
    private volatile int current;

    CrateDbSql(HttpServers servers) {
        this.questions = new JsonClient(servers, "/_sql");
    }

    /**
     * The rows of an answer.
     *
     * @throws NodeControlException when no server answers, or the one that does has an error
     */
    JsonNode rows(String statement) {
        JsonNode question = JsonNodeFactory.instance.objectNode().put("stmt", statement);
        List<URI> servers = questions.addresses();
        StringBuilder reasons = new StringBuilder();
        for (int tried = 0; tried < servers.size(); tried++) {
            int server = current;
            try {
                return rows(servers.get(server), question);
            } catch (IOException e) {
                reasons.append("; ").append(servers.get(server)).append(": ").append(e);
                current = (server + 1) % servers.size();
            }
        }
        throw new NodeControlException("no server of CrateDB answers" + reasons);
    }

    private JsonNode rows(URI server, JsonNode question) throws IOException {
        JsonClient.Answer answer = questions.ask(server, question);
        if (answer.status() == 401) {
            throw new NodeControlException(
                    "CrateDB at " + server + " rejected the credentials (HTTP 401): set rest.user and rest.password");
        }
        if (answer.status() != 200 || !answer.body().path("rows").isArray()) {
            throw new NodeControlException("CrateDB at " + server + " answered HTTP " + answer.status() + ": "
                    + answer.body().path("error").path("message").asText("no rows"));
        }
        return answer.body().get("rows");
    }
}
