package io.ycsbdrill.fault.node;

/** Makes another node primary in a planned way. A capability of a {@code NodeController}; thread-safe. */
public interface Switchable {

    /**
     * Asks for another primary in place of this node, of the engine's own choice, and returns when the engine says that there is one.
     *
     * @throws NodeControlException when the node is not primary, or the engine refuses
     */
    void switchOver(String node);
}
