package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Optional;

/**
 * Lets nodes join a cluster and leave it for good. A capability of a {@code NodeController}, whose {@code nodes()} are the
 * members: a node that has joined is the last of them. Thread-safe.
 */
public interface Expandable {

    /** The nodes that are prepared and no members, in a fixed order; often none. */
    List<NodeInfo> spares();

    /**
     * Lets a spare node join, without any data of before; returns when it is a member, has recovered and has its share of
     * the data. When it does not recover, it is no member afterwards.
     *
     * @throws NodeControlException when it is no spare node, or does not join
     */
    void add(String node);

    /** Why no member of this cluster can leave it, whatever is done before; empty when one can. */
    default Optional<String> removalLacks() {
        return Optional.empty();
    }

    /**
     * Lets a member leave: what only it has is moved to the others where the engine can, then it is stopped. On return it is a
     * spare node. When it cannot leave, it stays a member.
     *
     * @throws NodeControlException when it is no member, or cannot leave
     */
    void remove(String node);

    /**
     * Looks whether the other nodes have this one among them.
     *
     * @param member whether that is the effect
     */
    Sight lookForMember(String node, boolean member);
}
