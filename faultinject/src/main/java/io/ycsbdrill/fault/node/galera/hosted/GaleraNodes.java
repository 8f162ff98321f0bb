package io.ycsbdrill.fault.node.galera.hosted;

import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostSession;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.polled.PolledCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The nodes of a Galera cluster that somebody else runs. Each is asked on its host, by MariaDB's own client there, twice a second over one
 * connection, but not touched. Thread-safe; the watching thread is {@code galera-watch}.
 */
public final class GaleraNodes extends PolledCluster<HostedNode, GaleraAnswer, GaleraState> {
    /** A first answer includes the connection to the host. */
    private static final Duration FIRST_BOUND = Duration.ofSeconds(15);

    private final String engine;
    private final Map<String, HostSession> sessions;
    private volatile String version = "unknown";

    private GaleraNodes(String engine, List<HostedNode> nodes, Map<String, HostSession> sessions) {
        super(
                nodes.stream().map(HostedNode::info).toList(),
                nodes,
                new GaleraHistory(nodes.stream().map(HostedNode::id).toList()));
        this.engine = engine;
        this.sessions = sessions;
    }

    /**
     * Asks each node for its name.
     *
     * @param engine the engine's name
     * @param client MariaDB's client on the hosts and its options, separated by blanks; {@code {node}} is a node's id
     * @throws NodeControlException when none of them answers, or one has another name
     */
    public static GaleraNodes connect(String engine, List<HostedNode> nodes, String client) {
        Map<String, HostSession> sessions = new LinkedHashMap<>();
        nodes.forEach(node -> sessions.put(node.id(), new HostSession(node.host(), command(client, node))));
        GaleraNodes cluster = new GaleraNodes(engine, nodes, sessions);
        try {
            cluster.introduce(nodes);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static List<String> command(String client, HostedNode node) {
        return Stream.concat(
                        Stream.of(client.strip().split("\\s+")).map(word -> word.replace("{node}", node.id())),
                        Stream.of(
                                "--batch",
                                "--skip-column-names",
                                "--connect-timeout=1",
                                "--execute=" + GaleraAnswer.QUESTION))
                .toList();
    }

    private void introduce(List<HostedNode> nodes) {
        Map<HostedNode, CompletableFuture<First>> asked = new LinkedHashMap<>();
        nodes.forEach(node -> asked.put(node, AtOnce.ask(() -> first(node))));
        List<String> reasons = new ArrayList<>();
        asked.forEach((node, future) -> {
            First first = future.join();
            if (first.answer().isEmpty()) {
                reasons.add(node.host() + ": " + first.reason());
                return;
            }
            GaleraAnswer answer = first.answer().get();
            if (!answer.name().equals(node.id())) {
                throw new NodeControlException("the server on " + node.host() + " has wsrep_node_name=" + answer.name()
                        + ", and " + node.id()
                        + " in the inventory: an id is the name that the cluster knows the node by");
            }
            if (answer.synced() && !answer.saysMembers()) {
                throw new NodeControlException("the server on " + node.host()
                        + " does not say who is in its group, without which no failure can be dated: "
                        + (answer.problem().isEmpty() ? "mysql.wsrep_cluster_members is empty" : answer.problem())
                        + ". The client's account needs SELECT on mysql.wsrep_cluster_members (galera.client)");
            }
        });
        if (reasons.size() == nodes.size()) {
            throw new NodeControlException("no node of " + engine + " answers; " + String.join("; ", reasons)
                    + ". The client on the hosts and its options are set by galera.client");
        }
    }

    /** What a node answers, or why it did not. */
    private record First(Optional<GaleraAnswer> answer, String reason) {}

    private First first(HostedNode node) {
        try {
            return new First(Optional.of(ask(node, FIRST_BOUND)), "");
        } catch (IOException e) {
            return new First(Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    private GaleraAnswer ask(HostedNode node, Duration bound) throws IOException {
        ProgramOutput output = sessions.get(node.id()).run(bound);
        GaleraAnswer answer = GaleraAnswer.parse(node.id(), output.text());
        version = answer.version();
        return answer;
    }

    @Override
    protected GaleraAnswer ask(HostedNode node) throws IOException {
        return ask(node, ANSWER_BOUND);
    }

    /** A node that does not answer is left out. */
    @Override
    protected GaleraState join(List<GaleraAnswer> answers) {
        return GaleraState.of(answers);
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public String engineVersion() {
        return version;
    }

    @Override
    public List<NodeStatus> status() {
        GaleraState state = look();
        return nodes().stream()
                .map(node -> new NodeStatus(
                        node.id(),
                        state(state, node.id()),
                        state.of(node.id()).map(GaleraAnswer::state).orElse(""),
                        OptionalLong.empty()))
                .toList();
    }

    private static State state(GaleraState state, String node) {
        if (state.recovered(node)) {
            return State.STARTED;
        }
        if (state.of(node).isPresent()) {
            return state.of(node).get().inconsistent() ? State.EXPELLED : State.STARTING;
        }
        // One lost question is not yet the word of the group.
        return state.missedBySome(node) ? State.DOWN : State.UNKNOWN;
    }

    /** None: all nodes take writes. */
    @Override
    public Optional<String> primary() {
        return Optional.empty();
    }

    @Override
    protected void ended() {
        sessions.values().forEach(HostSession::close);
    }
}
