package io.ycsbdrill.fault.node;

import java.nio.file.Path;
import java.util.List;

/** Moves nodes onto another installation of the engine by restarting them. A capability of a {@code NodeController}; thread-safe. */
public interface Upgradable {

    /** Why the nodes cannot be moved onto this installation, asked while the cluster is up; empty when they can. */
    List<String> refusals(Path home);

    /**
     * Makes this the installation with which the node is started next and from then on; it runs on with the one that it has.
     * What has to be upgraded before any node, such as a server that hands out the configuration, is so on return.
     *
     * @return puts the node's former installation back
     * @throws NodeControlException when it cannot be done; then everything is as before
     */
    Runnable install(String node, Path home);

    /** Looks whether the node's process was started from this installation. */
    Sight lookForInstallation(String node, Path home);
}
