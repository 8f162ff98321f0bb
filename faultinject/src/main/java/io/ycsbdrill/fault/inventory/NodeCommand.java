package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.UserCommand;
import java.util.Optional;

/**
 * A command of the user's for an action on a node.
 *
 * @param command in which node and host are replaced
 * @param here whether it is run on this machine; else on the node's host
 */
record NodeCommand(UserCommand command, boolean here) {

    /** @throws IllegalArgumentException when it uses a name that is none */
    HostCall call(NodeAction action, NodeInfo node, Host host) {
        command.problem(node).ifPresent(text -> {
            throw new IllegalArgumentException(text);
        });
        if (here) {
            return new HostCall(command.words(node), Optional.empty());
        }
        // A server that is started must outlive the connection.
        boolean starts = action == NodeAction.START || action == NodeAction.INITIALISE;
        return starts ? NodeScript.on(host, "start", command.words(node)) : host.call(command.words(node));
    }
}
