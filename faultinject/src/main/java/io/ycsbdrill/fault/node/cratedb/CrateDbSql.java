package io.ycsbdrill.fault.node.cratedb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.http.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Asks a cluster by SQL over HTTP. Thread-safe. */
final class CrateDbSql {
    private final JsonClient questions;

    CrateDbSql(HttpServers servers) {
        this.questions = new JsonClient(servers, "/_sql");
    }

    /** Where it can be asked. */
    List<URI> servers() {
        return questions.addresses();
    }

    /**
     * What the first server says that answers.
     *
     * @param question asks one server
     * @throws NodeControlException when no server answers, or the one that does has an error
     */
    <T> T anyOf(Question<T> question) {
        StringBuilder reasons = new StringBuilder();
        for (URI server : servers()) {
            try {
                return question.ask(server);
            } catch (IOException e) {
                reasons.append("; ").append(server).append(": ").append(e);
            }
        }
        throw new NodeControlException("no server of CrateDB answers" + Secrets.inText(reasons.toString()));
    }

    /** Something to ask one server. */
    interface Question<T> {
        T ask(URI server) throws IOException;
    }

    /**
     * The rows of a server's answer.
     *
     * @param bound the longest time until it answers
     * @throws IOException when it does not
     * @throws NodeControlException when it has an error
     */
    JsonNode rows(URI server, String statement, Duration bound) throws IOException {
        JsonClient.Answer answer =
                questions.ask(server, JsonNodeFactory.instance.objectNode().put("stmt", statement), bound);
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
