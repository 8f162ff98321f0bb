package io.ycsbdrill.fault.node.harperdb;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.harperdb.HarperDbState.Peers;
import io.ycsbdrill.fault.node.http.ClusterWatch;
import io.ycsbdrill.fault.node.http.HttpServers;
import io.ycsbdrill.fault.node.http.JsonQuestions;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The nodes of a HarperDB cluster that somebody else runs. Each is asked about its peers twice a second, but not touched: what
 * is done to them is done by the user's own commands. Thread-safe; the watching thread is {@code harperdb-watch}.
 */
public final class HarperDbNodes implements NodeController {
    private final JsonQuestions questions;
    private final List<NodeInfo> nodes;
    private final ClusterWatch watch;

    private HarperDbNodes(JsonQuestions questions) {
        this.questions = questions;
        List<NodeInfo> found = new ArrayList<>();
        for (URI server : questions.addresses()) {
            try {
                found.add(new NodeInfo(ask(server).name(), server.getHost(), 0));
            } catch (IOException e) {
                throw new NodeControlException(
                        "HarperDB's operations API does not answer at " + server + " (" + e + "); all nodes must be up",
                        e);
            }
        }
        if (found.stream().map(NodeInfo::id).distinct().count() < found.size()) {
            throw new NodeControlException("two nodes of the HarperDB cluster have the same name: " + found);
        }
        this.nodes = List.copyOf(found);
        HarperDbHistory history =
                new HarperDbHistory(nodes.stream().map(NodeInfo::id).toList());
        this.watch =
                new ClusterWatch(engine(), events -> history.take(state(), System.nanoTime(), Instant.now(), events));
    }

    /**
     * Asks each node for its name.
     *
     * @param servers the operations API of all nodes, {@code http://host:9925}
     * @throws IllegalArgumentException when an address is none
     * @throws NodeControlException when one of them does not answer
     */
    public static HarperDbNodes connect(HttpServers servers) {
        return new HarperDbNodes(new JsonQuestions(servers, "/"));
    }

    private Peers ask(URI server) throws IOException {
        JsonQuestions.Answer answer =
                questions.ask(server, JsonNodeFactory.instance.objectNode().put("operation", "cluster_status"));
        if (answer.status() == 401 || answer.status() == 403) {
            throw new NodeControlException("HarperDB at " + server + " does not let us in (HTTP " + answer.status()
                    + "): set rest.user and rest.password, or rest.token");
        }
        if (answer.status() != 200 || !answer.body().path("node_name").isTextual()) {
            throw new IOException("HTTP " + answer.status() + " without a node_name");
        }
        return Peers.of(answer.body(), Instant.now());
    }

    /** A node that does not answer is left out. */
    private HarperDbState state() {
        Map<String, Peers> answers = new LinkedHashMap<>();
        StringBuilder reasons = new StringBuilder();
        for (URI server : questions.addresses()) {
            try {
                Peers peers = ask(server);
                answers.put(peers.name(), peers);
            } catch (IOException e) {
                reasons.append("; ").append(server).append(": ").append(e);
            }
        }
        if (answers.isEmpty()) {
            throw new NodeControlException("no node of HarperDB answers" + reasons);
        }
        return new HarperDbState(answers);
    }

    @Override
    public String engine() {
        return "harperdb";
    }

    /** Unknown: the answers that are used do not tell it. */
    @Override
    public String engineVersion() {
        return "unknown";
    }

    @Override
    public List<NodeInfo> nodes() {
        return nodes;
    }

    @Override
    public List<NodeStatus> status() {
        HarperDbState state = state();
        return nodes.stream()
                .map(node -> new NodeStatus(node.id(), state(state, node.id()), "", OptionalLong.empty()))
                .toList();
    }

    private static State state(HarperDbState state, String node) {
        if (!state.answers(node)) {
            return State.DOWN;
        }
        return state.isMissedBySome(node) || state.isCatchingUp(node) ? State.STARTING : State.STARTED;
    }

    /** None: all nodes take writes. */
    @Override
    public Optional<String> primary() {
        return Optional.empty();
    }

    /** None: only the user's own commands can do something to a node. */
    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return watch.listen(listener);
    }

    @Override
    public void close() {
        watch.close();
    }
}
