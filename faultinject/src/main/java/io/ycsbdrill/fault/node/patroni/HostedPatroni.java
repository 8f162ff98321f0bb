package io.ycsbdrill.fault.node.patroni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Switchable;
import io.ycsbdrill.fault.node.http.JsonClient;
import io.ycsbdrill.fault.node.polled.PolledCluster;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The nodes of a cluster with Patroni that somebody else runs. The Patroni of each is asked twice a second by its own interface, from here.
 * Thread-safe; the watching thread is {@code patroni-watch}.
 */
final class HostedPatroni extends PolledCluster<String, HostedMember, HostedGroup> implements Switchable {
    /** Patroni waits for its loop_wait, at most a minute, and for the new primary. */
    private static final Duration ORDER_BOUND = Duration.ofMinutes(3);

    private static final String PROPERTY = "patroni.rest";

    private final JsonClient questions;
    /** Patroni's own address by node. */
    private final Map<String, URI> rest;

    private volatile String version = "unknown";

    private HostedPatroni(List<HostedNode> nodes, JsonClient questions, Map<String, URI> rest) {
        super(
                nodes.stream().map(HostedNode::info).toList(),
                List.copyOf(rest.keySet()),
                new HostedHistory(List.copyOf(rest.keySet())));
        this.questions = questions;
        this.rest = rest;
    }

    /**
     * Asks each node who belongs to the cluster.
     *
     * @param servers Patroni's own address of each node, in the same order
     * @throws NodeControlException when no node answers, or the cluster knows one by another name
     */
    static HostedPatroni connect(List<HostedNode> nodes, HttpServers servers) {
        JsonClient questions = new JsonClient(servers, "");
        Map<String, URI> rest = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            rest.put(nodes.get(i).id(), questions.addresses().get(i));
        }
        HostedPatroni cluster = new HostedPatroni(nodes, questions, rest);
        try {
            cluster.introduce();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void introduce() {
        List<String> reasons = new ArrayList<>();
        for (Map.Entry<String, URI> node : rest.entrySet()) {
            try {
                JsonNode members = questions
                        .read(page(node.getKey(), "/cluster"), JsonClient.BOUND)
                        .body()
                        .path("members");
                Set<String> names = new LinkedHashSet<>();
                members.forEach(member -> names.add(member.path("name").asText()));
                if (names.isEmpty()) {
                    reasons.add(node.getValue() + " names no members: it is no Patroni");
                    continue;
                }
                Set<String> unknown = new LinkedHashSet<>(rest.keySet());
                unknown.removeAll(names);
                Set<String> unlisted = new LinkedHashSet<>(names);
                unlisted.removeAll(rest.keySet());
                if (!unknown.isEmpty() && !unlisted.isEmpty()) {
                    throw new NodeControlException("Patroni at " + node.getValue() + " knows "
                            + String.join(", ", names) + ", and the inventory has " + String.join(", ", rest.keySet())
                            + ": an id is the name that Patroni's own file gives the node (name:)");
                }
                if (!unlisted.isEmpty()) {
                    throw new NodeControlException("Patroni at " + node.getValue() + " knows "
                            + String.join(", ", unlisted) + ", which data_nodes of the inventory lacks");
                }
                return;
            } catch (IOException e) {
                reasons.add(node.getValue() + ": " + (e.getMessage() == null ? e : e.getMessage()));
            }
        }
        throw new NodeControlException(
                "no Patroni answers; " + String.join("; ", reasons) + ". Their addresses are set by " + PROPERTY);
    }

    private URI page(String node, String path) {
        return URI.create(rest.get(node) + path);
    }

    @Override
    protected HostedMember ask(String node) throws IOException {
        try {
            JsonNode page = questions.read(page(node, "/patroni"), ANSWER_BOUND).body();
            if (!page.path("state").isTextual()) {
                throw new IOException("no Patroni answers at " + rest.get(node));
            }
            HostedMember member = HostedMember.of(node, page);
            if (member.server().isPresent()) {
                version = member.version();
            }
            return member;
        } catch (ConnectException e) {
            // Its host says so; a host that is silent says nothing.
            return HostedMember.gone(node);
        }
    }

    @Override
    protected HostedGroup join(List<HostedMember> answers) {
        return HostedGroup.of(answers);
    }

    @Override
    public String engine() {
        return PatroniEngine.NAME;
    }

    @Override
    public String engineVersion() {
        if (version.equals("unknown")) {
            look();
        }
        return version;
    }

    @Override
    public List<NodeStatus> status() {
        HostedGroup group = look();
        return nodes().stream()
                .map(node -> new NodeStatus(
                        node.id(),
                        state(group, node.id()),
                        group.of(node.id()).map(member -> words(group, member)).orElse(""),
                        OptionalLong.empty()))
                .toList();
    }

    private static String words(HostedGroup group, HostedMember member) {
        String role = group.isPrimary(member.node())
                ? "primary"
                : group.waitsFor(member.node()) ? "synchronous replica" : member.replica() ? "replica" : "";
        return role.isEmpty() ? member.state() : role + ", " + member.state();
    }

    private static State state(HostedGroup group, String node) {
        if (group.serves(node)) {
            return State.STARTED;
        }
        Optional<HostedMember> member = group.of(node);
        if (member.isEmpty()) {
            // One lost question is not yet the word of the cluster.
            return group.servedByAnother(node) && !group.streams(node) ? State.DOWN : State.UNKNOWN;
        }
        return member.get().there() ? State.STARTING : State.DOWN;
    }

    @Override
    public Optional<String> primary() {
        return look().primary().map(HostedMember::node);
    }

    @Override
    public List<String> synchronous() {
        HostedGroup group = look();
        return rest.keySet().stream().filter(group::waitsFor).toList();
    }

    // --- Orders
    // ---------------------------------------------------------------------------------------------------------------

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type == Switchable.class ? Optional.of(type.cast(this)) : super.capability(type);
    }

    @Override
    public void switchOver(String node) {
        give(node, "switchover", "leader");
    }

    @Override
    public void failOver(String node) {
        give(node, "failover", "candidate");
    }

    private void give(String node, String what, String role) {
        try {
            JsonClient.Answer answer = questions.ask(
                    page(node, "/" + what),
                    JsonNodeFactory.instance.objectNode().put(role, node),
                    ORDER_BOUND);
            if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                throw new NodeControlException("Patroni of " + node + " makes no " + what
                        + " without restapi.authentication of its file: give " + PROPERTY + ".user and " + PROPERTY
                        + ".password in a file of yours, -P FILE");
            }
            if (answer.status() != HttpURLConnection.HTTP_OK) {
                throw new NodeControlException("Patroni of " + node + " makes no " + what + ": " + answer.text() + " ("
                        + answer.status() + ")");
            }
        } catch (IOException e) {
            throw new NodeControlException("Patroni of " + node + " does not answer: " + e.getMessage(), e);
        }
    }
}
