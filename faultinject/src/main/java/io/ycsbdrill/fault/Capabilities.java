package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.trouble.Damageable;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Asks a controller for what a fault needs. */
public final class Capabilities {

    private Capabilities() {}

    /**
     * The capability.
     *
     * @throws NodeControlException when the controller does not have it
     */
    public static <C> C require(NodeController controller, Class<C> type) {
        return controller
                .capability(type)
                .orElseThrow(() -> new NodeControlException("the nodes of " + controller.engine() + " are not "
                        + type.getSimpleName().toLowerCase(Locale.ROOT)));
    }

    /** What to say of a node whose files were damaged and not removed since; empty of any other. */
    public static Optional<String> damage(NodeController controller, String node) {
        return controller
                .capability(Damageable.class)
                .flatMap(files -> files.damagedSince(node))
                .map(since -> node + " has damaged files since " + since.truncatedTo(ChronoUnit.SECONDS)
                        + ": initialise it (cluster initialise " + node + "), or take the cluster down");
    }
}
