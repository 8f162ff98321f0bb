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
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
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
    /** With credentials, which Patroni asks for before it changes something. */
    private final JsonClient orders;

    private final LastPrimary last = new LastPrimary();
    /** Patroni's own address by node. */
    private final Map<String, URI> rest;

    private volatile String version = "unknown";

    private HostedPatroni(List<HostedNode> nodes, JsonClient questions, JsonClient orders, Map<String, URI> rest) {
        super(
                nodes.stream().map(HostedNode::info).toList(),
                List.copyOf(rest.keySet()),
                new HostedHistory(List.copyOf(rest.keySet())));
        this.questions = questions;
        this.orders = orders;
        this.rest = rest;
    }

    /**
     * Asks each node who belongs to the cluster.
     *
     * @param servers Patroni's own address of each node, in the same order
     * @throws NodeControlException when no node answers, or the cluster knows one by another name
     */
    static HostedPatroni connect(List<HostedNode> nodes, HttpServers servers) {
        JsonClient questions = new JsonClient(
                new HttpServers(servers.addresses(), Map.of(), servers.verify(), servers.authority()), "");
        Map<String, URI> rest = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            rest.put(nodes.get(i).id(), questions.addresses().get(i));
        }
        HostedPatroni cluster = new HostedPatroni(nodes, questions, new JsonClient(servers, ""), rest);
        try {
            cluster.introduce();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Each address must be that of its node, or another one would be harmed. */
    private void introduce() {
        List<String> reasons = new ArrayList<>();
        Map<String, String> identities = new LinkedHashMap<>();
        for (Map.Entry<String, URI> node : rest.entrySet()) {
            try {
                requireMembers(node.getValue(), read(node.getKey(), "/cluster").path("members"), node.getKey());
                JsonNode said = read(node.getKey(), "/health");
                String name = said.at("/patroni/name").asText(node.getKey()); // since 4.0
                if (!name.equals(node.getKey())) {
                    throw new NodeControlException("Patroni at " + node.getValue() + " is " + name + ", and not "
                            + node.getKey() + ": correct " + PROPERTY);
                }
                identities.put(
                        said.at("/patroni/scope").asText() + " "
                                + said.path("database_system_identifier").asText(),
                        node.getValue().toString());
            } catch (IOException e) {
                reasons.add(node.getValue() + ": " + (e.getMessage() == null ? e : e.getMessage()));
            }
        }
        if (identities.isEmpty()) {
            throw new NodeControlException(
                    "no Patroni answers; " + String.join("; ", reasons) + ". Their addresses are set by " + PROPERTY);
        }
        long clusters = identities.keySet().stream()
                .filter(identity -> !identity.endsWith(" "))
                .count(); // one without a database does not know yet
        if (clusters > 1) {
            throw new NodeControlException(
                    "the addresses are of several clusters: " + identities + "; correct " + PROPERTY);
        }
    }

    private JsonNode read(String node, String path) throws IOException {
        return questions.read(page(node, path), JsonClient.BOUND).body();
    }

    private void requireMembers(URI asked, JsonNode members, String node) throws IOException {
        Map<String, URI> known = new LinkedHashMap<>();
        for (JsonNode member : members) {
            known.put(
                    member.path("name").asText(),
                    URI.create(member.path("api_url").asText("")));
        }
        if (known.isEmpty()) {
            throw new IOException("it names no members, and is no Patroni");
        }
        Set<String> unlisted = new LinkedHashSet<>(known.keySet());
        unlisted.removeAll(rest.keySet());
        if (!unlisted.isEmpty()) {
            throw new NodeControlException("Patroni at " + asked + " knows " + String.join(", ", known.keySet())
                    + ", and data_nodes of the inventory has " + String.join(", ", rest.keySet())
                    + ": list each, by the name that Patroni's own file gives it (name:)");
        }
        known.forEach((name, address) -> {
            if (!name.equals(node) && isThere(address, asked)) {
                throw new NodeControlException(
                        "Patroni at " + asked + " is " + name + ", and not " + node + ": correct " + PROPERTY);
            }
        });
    }

    private static boolean isThere(URI address, URI asked) {
        if (address.getHost() == null || address.getPort() != asked.getPort()) {
            return false;
        }
        try {
            return InetAddress.getByName(address.getHost()).equals(InetAddress.getByName(asked.getHost()));
        } catch (UnknownHostException e) {
            return false; // a name of its own network
        }
    }

    private URI page(String node, String path) {
        return URI.create(rest.get(node) + path);
    }

    @Override
    protected HostedMember ask(String node) throws IOException {
        try {
            // Of this page Patroni does not wait for a PostgreSQL that does not answer.
            JsonNode page = questions.read(page(node, "/health"), ANSWER_BOUND).body();
            if (!page.path("state").isTextual()) {
                throw new IOException("no Patroni answers at " + rest.get(node));
            }
            HostedMember member = HostedMember.of(node, page);
            if (member.server().isPresent()) {
                version = member.version();
            }
            return member;
        } catch (ConnectException e) {
            // Its host says so; one that is silent, or that is not found, says nothing.
            if (isRefusal(e)) {
                return HostedMember.gone(node);
            }
            throw e;
        }
    }

    private static boolean isRefusal(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ClosedChannelException
                    || String.valueOf(each.getMessage()).contains("refused")) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected HostedGroup join(List<HostedMember> answers) {
        return HostedGroup.of(answers, last);
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
        String answer = give(node, "failover", "candidate");
        // Patroni also takes another one, and says so.
        if (!primary().equals(Optional.of(node))) {
            throw new NodeControlException("Patroni was asked for " + node + ", and says: " + answer);
        }
    }

    /** Returns what Patroni says of it. */
    private String give(String node, String what, String role) {
        try {
            JsonClient.Answer answer = orders.ask(
                    page(node, "/" + what),
                    JsonNodeFactory.instance.objectNode().put(role, node),
                    ORDER_BOUND);
            if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                throw new NodeControlException("Patroni of " + node + " makes no " + what
                        + " without restapi.authentication of its file: give " + PROPERTY + ".user and " + PROPERTY
                        + ".password in a file of yours, -P FILE");
            }
            if (answer.status() != HttpURLConnection.HTTP_OK) {
                throw new NodeControlException("Patroni of " + node + " has made no " + what + ": " + answer.text()
                        + " (" + answer.status() + "); it may still do so");
            }
            return answer.text();
        } catch (IOException e) {
            throw new NodeControlException("Patroni of " + node + " does not answer: " + e.getMessage(), e);
        }
    }
}
