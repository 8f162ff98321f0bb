package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import java.util.Locale;

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
}
