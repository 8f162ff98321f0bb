package io.ycsbdrill.fault.net;

import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;

/** Disturbs the links between clients and the servers of a cluster. A capability of a {@code NodeController}; thread-safe. */
public interface Networked {

    /** The servers, in a fixed order: {@code server1}, {@code server2}, ...; they need not be the cluster's data nodes. */
    List<NodeInfo> servers();

    /**
     * Puts a disturbance in force; returns when it is.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when there is no such server, or it cannot be done
     */
    void disturb(String server, Disturbance disturbance);

    /**
     * Looks whether a disturbance that is in force, or was over at once, has affected a connection by now; of equal ones the last.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when there is no such server, or it cannot be asked
     */
    Sight look(String server, Disturbance disturbance);

    /**
     * Lifts one; does nothing when it is not in force.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when there is no such server, or it cannot be done
     */
    void restore(String server, Disturbance disturbance);

    /**
     * Lifts all.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when it cannot be done
     */
    void restoreAll();
}
