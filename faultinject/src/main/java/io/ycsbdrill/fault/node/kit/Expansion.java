package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Adds and removes the nodes of a local cluster, as far as it is the same for every engine. One node at a time. Thread-safe.
 */
record Expansion(ProcessCluster<?> cluster, Members members) implements Expandable {
    /** However long it takes: the step that it belongs to has a bound of its own. */
    private static final Duration BOUND = Duration.ofHours(24);

    @Override
    public List<NodeInfo> spares() {
        return members.spares().stream()
                .map(id -> new NodeInfo(id, ProcessNodes.HOST, 0))
                .toList();
    }

    @Override
    public synchronized void add(String node) {
        if (!members.spares().contains(node)) {
            throw new NodeControlException(node + " is not a spare node; the spare nodes are "
                    + (members.spares().isEmpty() ? "none" : String.join(", ", members.spares())));
        }
        members.join(node); // first: whatever happens from now on, healing knows it
        try {
            cluster.startInitial(node);
            cluster.awaitStarted(node, BOUND);
        } catch (NodeControlException e) {
            if (!Thread.currentThread().isInterrupted()) {
                cluster.kill(node);
                members.leave(node);
            }
            throw e;
        }
        // From now on it may be the only one that has some of the data.
        cluster.settle(node);
    }

    @Override
    public Optional<String> removalLacks() {
        return cluster.removalLacks();
    }

    @Override
    public synchronized void remove(String node) {
        List<String> now = members.members();
        if (!now.contains(node)) {
            throw new NodeControlException(node + " is not a member; the members are " + String.join(", ", now));
        }
        if (now.size() <= 2) {
            throw new NodeControlException(node + " is one of the last two members and cannot be removed");
        }
        removalLacks().ifPresent(why -> {
            throw new NodeControlException(node + " cannot be removed: " + why);
        });
        cluster.drain(node);
        cluster.stop(node, Mode.GRACEFUL, BOUND);
        try {
            cluster.forget(node);
        } catch (NodeControlException e) {
            if (!Thread.currentThread().isInterrupted()) {
                cluster.start(node);
            }
            throw e;
        }
        members.leave(node);
    }

    @Override
    public Sight lookForMember(String node, boolean member) {
        return cluster.seenByOthers(node)
                .map(seen -> new Sight(
                        seen == member, "the other nodes have " + node + (seen ? " among them" : " not among them")))
                .orElse(new Sight(false, "no other node says whether " + node + " is a member"));
    }
}
