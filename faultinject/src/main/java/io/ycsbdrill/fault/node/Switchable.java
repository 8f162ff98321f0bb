package io.ycsbdrill.fault.node;

/** Makes another node primary by order. A capability of a {@code NodeController}; thread-safe. */
public interface Switchable {

    /**
     * Asks for another primary in place of this node, of the engine's own choice, and returns when the engine says that there is one.
     *
     * @throws NodeControlException when the node is not primary, or the engine refuses
     */
    void switchOver(String node);

    /**
     * Makes this node primary, whether there is a primary now or not, and returns when the engine says that it is.
     *
     * @throws NodeControlException when the node is primary already, or the engine refuses
     */
    void failOver(String node);
}
