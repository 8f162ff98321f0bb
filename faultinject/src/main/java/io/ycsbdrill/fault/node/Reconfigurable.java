package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Map;

/**
 * Changes settings that a node takes up when it is started. A capability of a {@code NodeController}; thread-safe. Settings
 * have the engine's own names and values.
 */
public interface Reconfigurable {

    /** Why these settings cannot be changed, asked while the cluster is up; empty when they can. */
    List<String> refusals(Map<String, String> settings);

    /**
     * Makes these the settings with which the node is started next, and stay so; it runs on with those that it has. What its
     * configuration depends on, such as a server that hands it out, has taken them up on return.
     *
     * @return puts the configuration back that was there before
     * @throws NodeControlException when it cannot be done; then the configuration is as before
     */
    Runnable configure(String node, Map<String, String> settings);

    /**
     * Looks whether the node was started since {@link #configure} and says itself that it has these values.
     *
     * @throws NodeControlException when it cannot be asked
     */
    Sight look(String node, Map<String, String> settings);
}
