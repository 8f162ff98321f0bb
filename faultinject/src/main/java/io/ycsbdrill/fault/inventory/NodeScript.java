package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.HostScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The script {@code node.sh}, which works on the host of a node, verb by verb. */
final class NodeScript {
    private static final HostScript SCRIPT = new HostScript(NodeScript.class, "process.sh", "node.sh");
    /** What is done with a container, on the machine where its engine is called. */
    private static final String OF_CONTAINER =
            SCRIPT.asInputOf("inside") + HostScript.read(NodeScript.class, "container.sh");
    /** For the way to the host and back. */
    private static final long WAY_MILLIS = 5_000;

    static HostCall on(Host host, String verb, List<String> arguments) {
        return SCRIPT.on(host, verb, arguments);
    }

    static HostCall on(Host host, String verb, String... arguments) {
        return on(host, verb, List.of(arguments));
    }

    /** Does something with the node, be it by the engine of the container that it runs in. */
    static HostCall onNode(Host host, String verb, List<String> arguments) {
        if (host.transport().engine().isEmpty()) {
            return on(host, verb, arguments);
        }
        List<String> all = new ArrayList<>(List.of(
                host.transport().engine().get(), host.address(), host.user().orElse(""), verb));
        all.addAll(arguments);
        return SCRIPT.on(host.machine().orElseThrow(), OF_CONTAINER, "container", all);
    }

    static HostCall onNode(Host host, String verb, String... arguments) {
        return onNode(host, verb, List.of(arguments));
    }

    /**
     * How long the script itself may wait, in tenths of a second: it has to end by itself, and say what it waited for, before its call
     * is ended, as that ends nothing on the host.
     *
     * @param bound of the call
     */
    static long tenths(Duration bound) {
        long millis = bound.toMillis();
        return Math.max(1, (millis - Math.min(WAY_MILLIS, millis / 2)) / 100);
    }
}
