package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.Killable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** What a {@link SandboxFeature} asks of the nodes that it troubles. Thread-safe. */
public interface SandboxedNodes extends Killable {

    /** The cluster's own directory. */
    Path directory();

    /** The process of a node that writes its files; empty when it is not running. */
    Optional<OsProcess> process(String node);

    /** The directory that an initial start of a node removes, below the cluster's own. */
    Path data(String node);

    /** Reports a remark about a node. */
    default void note(String node, String text) {}

    /** Runs an operation on a node while no other runs, so that none is started in the middle. */
    void exclusively(String node, Runnable operation);

    /** Features that these nodes cannot have, though nothing has to be made for them. */
    default Set<SandboxFeature> without() {
        return Set.of();
    }

    /** Called before links of the node that were cut are mended. */
    default void beforeMending(String node) {}

    /** Names of files that a node maps to write to them, and that may keep what they have when its power is cut. */
    default Set<String> mapped() {
        return Set.of();
    }
}
