package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import io.ycsbdrill.fault.node.trouble.Impairable;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Fills the file system of a node's data directory by a file of ours, on the node's own host. Never the root file system: a full one would
 * hit everything on the host. Thread-safe.
 */
final class HostedDisks implements Impairable {
    private final Inventory inventory;
    private final HostTroubles full;

    HostedDisks(Inventory inventory) {
        this.inventory = inventory;
        full = new HostTroubles(inventory, Kind.FULL.fault(), "the disk", this::freeing);
    }

    /** Whether the hosts of all data nodes stay reachable when a node ends itself over its disk. */
    static boolean possible(Inventory inventory) {
        return inventory.nodes(Role.DATA).stream()
                .allMatch(node ->
                        node.host().transport() == Transport.SSH || node.host().transport() == Transport.LOCAL);
    }

    @Override
    public Optional<String> lacking(DiskTrouble trouble) {
        if (trouble.kind() != Kind.FULL) {
            return Optional.of("disks of hosts of an inventory can be filled (disk-full); do "
                    + trouble.kind().fault() + " by a run step with commands of yours");
        }
        String unknown = inventory.nodes(Role.DATA).stream()
                .filter(node -> node.dataDirectory().isEmpty())
                .map(HostedNode::id)
                .collect(Collectors.joining(", "));
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("it is not known which disk is that of node " + unknown
                        + "; give its data_directory in the inventory (docs/inventory.md)");
    }

    @Override
    public void impair(String node, DiskTrouble trouble) {
        full.begin(node, filling(node));
    }

    /** What fills it, or gives up before its call is ended. */
    HostCall filling(String node) {
        long seconds = Math.max(1, NodeScript.tenths(inventory.timeout()) / 10);
        return NodeScript.on(inventory.required(node).host(), "fill", directory(node), Long.toString(seconds));
    }

    /** What removes that again. */
    HostCall freeing(String node) {
        return NodeScript.on(inventory.required(node).host(), "free", directory(node));
    }

    private String directory(String node) {
        return inventory.required(node).dataDirectory();
    }

    @Override
    public Sight look(String node, DiskTrouble trouble) {
        String free = full.ask(node, NodeScript.on(inventory.required(node).host(), "space", directory(node)))
                .text()
                .strip();
        return new Sight(free.equals("0"), free + " KB are free in " + directory(node));
    }

    @Override
    public void restore(String node, DiskTrouble trouble) {
        full.end(node);
    }

    /** Hosts are asked for what others have left. */
    @Override
    public void restoreAll() {
        full.endAll();
    }
}
