package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Corruption;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Loss;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cuts links on the nodes' own hosts, by a table of the kernel's packet filter on each; the connection by which this tool reaches a host
 * stays. Of a container the table is in its own network, where packets can be lost or corrupted by chance, too. Clients are the hosts of clients, SQL
 * nodes and management servers of the inventory, and this machine. Thread-safe.
 */
final class HostedLinks implements Partitionable {
    /** The exit code of {@code may-cut} when a container is not up, so that it has no network to be asked about. */
    private static final int NOT_UP = 3;

    private static final int SHARES = 1000;

    private final Inventory inventory;
    private final HostTroubles cut;
    /** What this process has begun, by node; the table of its host counts from then on. */
    private final Map<String, Begun> begun = new ConcurrentHashMap<>();

    /** A trouble and when it was asked for, by {@code System.nanoTime()}. */
    record Begun(LinkTrouble trouble, long atNanos) {
        /** An injection begins on all of its nodes at once. */
        private static final long AT_ONCE_NANOS = 2_000_000_000L;

        /** Whether one injection began both, by which nothing of this node arrives at the receiver. */
        boolean isTogetherWith(Begun other, String receiver) {
            return Math.abs(atNanos - other.atNanos) <= AT_ONCE_NANOS
                    && trouble instanceof LinkCut links
                    && links.to().contains(receiver);
        }
    }

    HostedLinks(Inventory inventory) {
        this.inventory = inventory;
        cut = new HostTroubles(inventory, "cut", "links", this::mending);
    }

    /** Whether the hosts of all data nodes have a packet filter that could be told. */
    static boolean possible(Inventory inventory) {
        return inventory.nodes(Role.DATA).stream()
                .allMatch(node -> node.host().transport() == Transport.SSH || isContainer(node));
    }

    private static boolean isContainer(HostedNode node) {
        return node.host().transport().engine().isPresent();
    }

    /** Containers that are up are asked for their networks. */
    @Override
    public Optional<String> lacking(LinkTrouble trouble) {
        return unknown(trouble).or(() -> shared(trouble));
    }

    /** Why it cannot be done, as far as the inventory tells. */
    Optional<String> unknown(LinkTrouble trouble) {
        if (trouble instanceof Loss || trouble instanceof Corruption) {
            return inventory.nodes(Role.DATA).stream().allMatch(HostedLinks::isContainer)
                    ? Optional.empty()
                    : Optional.of(
                            "links of hosts can be cut, but not be lossy or corrupt, as all else on the host would be hit,"
                                    + " too; those of containers can; do it by a run step with commands of yours");
        }
        if (!(trouble instanceof LinkCut links)) {
            return Optional.of("links between hosts of an inventory can be cut, but not be " + trouble.text()
                    + "; do that by a run step with commands of yours");
        }
        Map<String, Host> ends = new TreeMap<>();
        inventory.nodes(Role.DATA).stream()
                .filter(node -> links.to().contains(node.id()) || links.from().contains(node.id()))
                .forEach(node -> ends.put(node.id(), node.host()));
        if (links.toClients() || links.fromClients()) {
            ends.putAll(clients());
        }
        String unknown = ends.entrySet().stream()
                .filter(end -> end.getValue().isContainer()
                        && end.getValue().addresses().isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("it is not known at which addresses " + unknown
                        + " can be cut off, as the name of a container or pod is none; give its addresses in the"
                        + " inventory (docs/inventory.md)");
    }

    private Optional<String> shared(LinkTrouble trouble) {
        return inventory.nodes(Role.DATA).stream()
                .filter(HostedLinks::isContainer)
                .map(node -> AtOnce.ask(() -> refusal(node, trouble)))
                .toList()
                .stream()
                .flatMap(answer -> answer.join().stream())
                .findFirst();
    }

    private Optional<String> refusal(HostedNode node, LinkTrouble trouble) {
        try {
            ProgramOutput output = NodeScript.onNode(
                            node.host(), "may-cut", trouble instanceof Corruption ? "corrupt" : "")
                    .run(inventory.timeout());
            return output.exit() == 0 || output.exit() == NOT_UP
                    ? Optional.empty()
                    : Optional.of("node " + node.id() + ": " + output.text().strip());
        } catch (IOException e) {
            return Optional.of("node " + node.id() + ": " + e.getMessage());
        }
    }

    /** What is a client for a data node, by id: all hosts of the inventory but those of data nodes. */
    private Map<String, Host> clients() {
        Map<String, Host> clients = new TreeMap<>();
        inventory.nodes().stream()
                .filter(server -> server.role() != Role.DATA)
                .forEach(server -> clients.put(server.id(), server.host()));
        inventory.clients().forEach(client -> clients.put(client.id(), client.host()));
        return clients;
    }

    /** Nothing is recorded where the filter cannot be asked: there it could not be asked to mend anything either. */
    @Override
    public void trouble(String node, LinkTrouble trouble) {
        Begun now = new Begun(trouble, System.nanoTime());
        begun.remove(node);
        cut.ask(node, onNode(node, "may-cut"));
        cut.begin(node, call(node, trouble));
        begun.put(node, now);
    }

    private HostCall onNode(String node, String verb, String... arguments) {
        return NodeScript.onNode(inventory.required(node).host(), verb, arguments);
    }

    /** What troubles the links. */
    HostCall call(String node, LinkTrouble trouble) {
        if (trouble instanceof Loss loss) {
            return onNode(node, "lose", table(node), thousandths(loss.share()));
        }
        if (trouble instanceof Corruption corruption) {
            return onNode(node, "corrupt", table(node), thousandths(corruption.share()));
        }
        LinkCut links = (LinkCut) trouble;
        return onNode(
                node,
                "cut",
                table(node),
                ends(node, links.to(), links.toClients()),
                ends(node, links.from(), links.fromClients()),
                links.toClients() ? "yes" : "no",
                links.fromClients() ? "yes" : "no");
    }

    private static String thousandths(double share) {
        return Long.toString(Math.max(1, Math.round(share * SHARES)));
    }

    /** Addresses, with commas between them. */
    private String ends(String node, Set<String> nodes, boolean clients) {
        Stream<Host> peers = nodes.stream().map(inventory::required).map(HostedNode::host);
        // This machine is where the connection to the node's host comes from; its "localhost" would be that host.
        Stream<Host> others = clients
                ? clients().values().stream()
                        .filter(host -> host.transport() != Transport.LOCAL
                                || !host.addresses().isEmpty())
                : Stream.empty();
        Set<String> addresses = Stream.concat(peers, others)
                .flatMap(host -> host.reachedBy().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        addresses.removeAll(inventory.required(node).host().reachedBy());
        return String.join(",", addresses);
    }

    @Override
    public Sight look(String node, LinkTrouble trouble) {
        Lost lost = Lost.of(cut.ask(node, onNode(node, "lost", table(node))));
        long in = lost.in();
        if (in == 0 && trouble instanceof LinkCut links) {
            // What the other end of a link does not send is lost there: both ends are cut by a partition.
            in = links.from().stream()
                    .filter(sender -> isTogether(sender, node))
                    .mapToLong(sender -> dropped(sender, node))
                    .sum();
        }
        boolean effect = trouble instanceof LinkCut links
                ? (lost.out() > 0 || !links.outgoing()) && (in > 0 || !links.incoming())
                : lost.out() + in > 0;
        return new Sight(
                effect,
                lost.out() + " packets of " + node + " and " + in + " packets to " + node + " were "
                        + (trouble instanceof Corruption ? "corrupted, " : "lost, ") + trouble.text());
    }

    /** Whether the sender was cut off from the node by the same injection: what another one has cut there proves nothing of this one. */
    private boolean isTogether(String sender, String node) {
        Begun there = begun.get(sender);
        Begun here = begun.get(node);
        return there != null && here != null && there.isTogetherWith(here, node);
    }

    /** Packets that the sender's own table has dropped, if it has one. */
    private long dropped(String sender, String receiver) {
        String addresses = String.join(",", inventory.required(receiver).host().reachedBy());
        return Io.or(0L, () -> {
            ProgramOutput output =
                    onNode(sender, "lost", table(sender), addresses).run(inventory.timeout());
            return output.exit() == 0 ? Lost.of(output).out() : 0L;
        });
    }

    /** Packets, as the script says it. */
    private record Lost(long out, long in) {
        static Lost of(ProgramOutput said) {
            Map<String, Long> lost = said.text()
                    .lines()
                    .map(line -> line.split(" "))
                    .filter(words -> words.length == 2 && words[1].matches("\\d+"))
                    .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1]), Long::sum));
            return new Lost(lost.getOrDefault("out", 0L), lost.getOrDefault("in", 0L));
        }
    }

    @Override
    public void mend(String node) {
        begun.remove(node);
        cut.end(node);
    }

    /** What mends them. */
    HostCall mending(String node) {
        return onNode(node, "mend", table(node));
    }

    /** Hosts are asked for what others have left. */
    @Override
    public boolean mendAll() {
        begun.clear();
        return cut.endAll();
    }

    /** A name as the filter takes it. */
    private static String table(String node) {
        return node.codePoints()
                .mapToObj(c -> Character.isLetterOrDigit(c) ? Character.toString(c) : "_" + Integer.toHexString(c))
                .collect(Collectors.joining("", "ycsb_drill_", ""));
    }
}
