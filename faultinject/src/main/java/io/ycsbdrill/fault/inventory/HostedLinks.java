package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.LinkCut;
import io.ycsbdrill.fault.node.LinkTrouble;
import io.ycsbdrill.fault.node.Partitionable;
import io.ycsbdrill.fault.node.Sight;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cuts links on the nodes' own hosts, by a table of the kernel's packet filter on each; the connection by which this tool reaches a host
 * stays. Clients are the hosts of clients, SQL nodes and management servers of the inventory, and this machine. Thread-safe.
 */
final class HostedLinks implements Partitionable {
    private final Inventory inventory;
    private final HostTroubles cut;

    HostedLinks(Inventory inventory) {
        this.inventory = inventory;
        cut = new HostTroubles(inventory, "cut", "links", this::mending);
    }

    /** Whether the hosts of all data nodes have a packet filter that could be told. */
    static boolean possible(Inventory inventory) {
        return inventory.nodes(Role.DATA).stream().allMatch(node -> node.host().transport() == Transport.SSH);
    }

    @Override
    public Optional<String> lacking(LinkTrouble trouble) {
        return trouble instanceof LinkCut
                ? Optional.empty()
                : Optional.of("links between hosts of an inventory can be cut, but not be " + trouble.text()
                        + "; do that by a run step with commands of yours");
    }

    @Override
    public void trouble(String node, LinkTrouble trouble) {
        cut.begin(node, call(node, trouble));
    }

    /** What cuts the links. */
    HostCall call(String node, LinkTrouble trouble) {
        LinkCut links = (LinkCut) trouble;
        return NodeScript.on(
                inventory.required(node).host(),
                "cut",
                table(node),
                ends(node, links.to(), links.toClients()),
                ends(node, links.from(), links.fromClients()),
                links.toClients() ? "yes" : "no",
                links.fromClients() ? "yes" : "no");
    }

    /** Addresses, with commas between them. */
    private String ends(String node, Set<String> nodes, boolean clients) {
        Stream<Host> peers = nodes.stream().map(inventory::required).map(HostedNode::host);
        Stream<Host> others = clients
                ? Stream.concat(
                        inventory.nodes().stream()
                                .filter(server -> server.role() != Role.DATA)
                                .map(HostedNode::host),
                        inventory.clients().stream().map(ClientHost::host))
                : Stream.empty();
        Set<String> addresses = Stream.concat(peers, others)
                .flatMap(host -> host.reachedBy().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        addresses.removeAll(inventory.required(node).host().reachedBy());
        return String.join(",", addresses);
    }

    @Override
    public Sight look(String node, LinkTrouble trouble) {
        LinkCut links = (LinkCut) trouble;
        Map<String, Long> lost = cut.ask(
                        node, NodeScript.on(inventory.required(node).host(), "lost", table(node)))
                .text()
                .lines()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 2 && words[1].matches("\\d+"))
                .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1]), Long::sum, TreeMap::new));
        long out = lost.getOrDefault("out", 0L);
        long in = lost.getOrDefault("in", 0L);
        return new Sight(
                (out > 0 || !links.outgoing()) && (in > 0 || !links.incoming()),
                out + " packets of " + node + " and " + in + " packets to " + node + " were lost, " + links.text());
    }

    @Override
    public void mend(String node) {
        cut.end(node);
    }

    /** What mends them. */
    HostCall mending(String node) {
        return NodeScript.on(inventory.required(node).host(), "mend", table(node));
    }

    /** Hosts are asked for what others have left. */
    @Override
    public boolean mendAll() {
        return cut.endAll();
    }

    /** A name as the filter takes it. */
    private static String table(String node) {
        return node.codePoints()
                .mapToObj(c -> Character.isLetterOrDigit(c) ? Character.toString(c) : "_" + Integer.toHexString(c))
                .collect(Collectors.joining("", "ycsb_drill_", ""));
    }
}
