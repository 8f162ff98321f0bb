package io.ycsbdrill.fault.node;

/** Starts a node without data: its files are removed and it copies everything from the others. */
public interface Initialisable {

    /**
     * Removes the files of a node that is down and starts it empty. Returns when the process runs.
     *
     * @throws NodeControlException when the node is not down, or does not come up
     */
    void startInitial(String node);
}
