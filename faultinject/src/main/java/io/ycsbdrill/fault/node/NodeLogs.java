package io.ycsbdrill.fault.node;

/** Reads the end of a node's own log. */
public interface NodeLogs {

    /**
     * The last lines of the node's log.
     *
     * @param lines at most this many; positive
     * @return lines that each end with a line feed; empty when it has logged nothing or the log cannot be read
     */
    String logTail(String node, int lines);
}
