package io.ycsbdrill.fault.node.trouble;

import java.util.Set;
import java.util.TreeSet;

/**
 * Links of one node over which nothing passes, each direction for itself. Packets vanish: nothing is refused, reset or reported as
 * unreachable. Immutable.
 *
 * @param to the nodes at which nothing of this node arrives
 * @param from the nodes of which nothing arrives at this node
 * @param toClients whether nothing of this node arrives at clients, management and SQL servers
 * @param fromClients whether nothing of those arrives at this node
 */
public record LinkCut(Set<String> to, Set<String> from, boolean toClients, boolean fromClients) implements LinkTrouble {
    public LinkCut {
        to = Set.copyOf(to);
        from = Set.copyOf(from);
        if (to.isEmpty() && from.isEmpty() && !toClients && !fromClients) {
            throw new IllegalArgumentException("no link is cut");
        }
    }

    /** Both directions of the links to these nodes. */
    public static LinkCut both(Set<String> others, boolean clients) {
        return new LinkCut(others, others, clients, clients);
    }

    /** Whether something that the node sends is lost. */
    public boolean outgoing() {
        return toClients || !to.isEmpty();
    }

    /** Whether something that is sent to the node is lost. */
    public boolean incoming() {
        return fromClients || !from.isEmpty();
    }

    @Override
    public String text() {
        if (to.equals(from) && toClients == fromClients) {
            return "cut off to and from " + ends(to, toClients);
        }
        String out = outgoing() ? "to " + ends(to, toClients) : "";
        String in = incoming() ? "from " + ends(from, fromClients) : "";
        return "cut off " + out + (out.isEmpty() || in.isEmpty() ? "" : " and ") + in;
    }

    private static String ends(Set<String> nodes, boolean clients) {
        TreeSet<String> names = new TreeSet<>(nodes);
        String text = String.join(", ", names);
        return text + (clients ? (text.isEmpty() ? "" : ", ") + "clients" : "");
    }
}
