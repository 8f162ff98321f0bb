package io.ycsbdrill.fault.node.os;

import java.util.List;

/**
 * What was asked for can only be done by a process inside a cluster's isolated network, and this one is not. A process cannot go there
 * once it runs; the command is to be run again, by {@link #entry}.
 */
public final class OutsideNetworkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> entry;
    private final String network;

    OutsideNetworkException(String message, List<String> entry, String network) {
        super(message);
        this.entry = List.copyOf(entry);
        this.network = network;
    }

    /** The beginning of a command line; the rest of it runs inside the network, and ends with the thread that has started it. */
    public List<String> entry() {
        return entry;
    }

    /** The value of {@link IsolatedNetwork#VARIABLE} for the process inside. */
    public String network() {
        return network;
    }
}
