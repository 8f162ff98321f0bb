package io.ycsbdrill.fault.node.harperdb;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.harperdb.HarperDbState.Peers;
import io.ycsbdrill.fault.node.http.JsonClient;
import io.ycsbdrill.fault.node.polled.PolledCluster;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The nodes of a HarperDB cluster that somebody else runs, or one server of Harper's open-source version, which does not replicate.
 * Each is asked about its peers twice a second, but not touched: what is done to them is done by the user's own commands.
 * Thread-safe; the watching thread is {@code harperdb-watch}.
 */
public final class HarperDbNodes extends PolledCluster<URI, Peers, HarperDbState> {
    private static final String CLUSTER_STATUS = "cluster_status";

    private final JsonClient questions;

    private HarperDbNodes(JsonClient questions, List<NodeInfo> nodes) {
        super(nodes, questions.addresses(), new HarperDbHistory(names(nodes)));
        this.questions = questions;
    }

    /**
     * Asks each node for its name.
     *
     * @param servers the operations API of all nodes, {@code http://host:9925}
     * @throws IllegalArgumentException when an address is none
     * @throws NodeControlException when one of them does not answer, or does not replicate although it is not alone
     */
    public static HarperDbNodes connect(HttpServers servers) {
        JsonClient questions = new JsonClient(servers, "/");
        List<NodeInfo> found = new ArrayList<>();
        for (URI server : questions.addresses()) {
            Peers peers;
            try {
                peers = ask(questions, server, JsonClient.BOUND);
            } catch (IOException e) {
                throw new NodeControlException(
                        "HarperDB's operations API does not say which node it is at " + server
                                + " (" + (e.getMessage() == null ? e : e.getMessage())
                                + "); all nodes must be up. Its address is set by"
                                + " rest.harperdb.operations.port and rest.harperdb.operations.scheme",
                        e);
            }
            if (!peers.replicates() && questions.addresses().size() > 1) {
                throw new NodeControlException("HarperDB at " + server
                        + " does not replicate (it does not know the operation" + " " + CLUSTER_STATUS
                        + "), so it is no node of a cluster: name one server only in rest.endpoints");
            }
            found.add(new NodeInfo(peers.name(), server.getHost(), 0));
        }
        if (names(found).stream().distinct().count() < found.size()) {
            throw new NodeControlException("two nodes of the HarperDB cluster have the same name: " + found);
        }
        return new HarperDbNodes(questions, found);
    }

    private static Peers ask(JsonClient questions, URI server, Duration bound) throws IOException {
        JsonClient.Answer answer =
                questions.ask(server, JsonNodeFactory.instance.objectNode().put("operation", CLUSTER_STATUS), bound);
        if (answer.status() == 401 || answer.status() == 403) {
            throw new NodeControlException("HarperDB at " + server + " rejected the credentials (HTTP "
                    + answer.status() + "): set rest.user and rest.password, or rest.token");
        }
        String error = answer.body().path("error").asText("");
        if (answer.status() == 400 && error.equals("Operation '" + CLUSTER_STATUS + "' not found")) {
            return Peers.none(server.getHost());
        }
        if (answer.status() != 200 || !answer.body().path("node_name").isTextual()) {
            throw new IOException(
                    "HTTP " + answer.status() + " without a node_name" + (error.isEmpty() ? "" : ": " + error));
        }
        return Peers.of(answer.body(), Instant.now());
    }

    @Override
    protected Peers ask(URI server) throws IOException {
        return ask(questions, server, ANSWER_BOUND);
    }

    /** A node that does not answer is left out. */
    @Override
    protected HarperDbState join(List<Peers> answers) {
        Map<String, Peers> nodes = new LinkedHashMap<>();
        answers.forEach(peers -> nodes.put(peers.name(), peers));
        return new HarperDbState(nodes);
    }

    @Override
    public String engine() {
        return HarperDbEngine.NAME;
    }

    /** Unknown: the answers in use do not contain it. */
    @Override
    public String engineVersion() {
        return "unknown";
    }

    @Override
    public List<NodeStatus> status() {
        HarperDbState state = look();
        return nodes().stream()
                .map(node -> new NodeStatus(node.id(), state(state, node.id()), "", OptionalLong.empty()))
                .toList();
    }

    private static State state(HarperDbState state, String node) {
        if (!state.answers(node)) {
            // One lost question is not yet the word of the cluster.
            return state.isMissedBySome(node) ? State.DOWN : State.UNKNOWN;
        }
        return state.isMissedBySome(node) || state.isCatchingUp(node) ? State.STARTING : State.STARTED;
    }

    /** None: all nodes take writes. */
    @Override
    public Optional<String> primary() {
        return Optional.empty();
    }
}
