package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.NodeUse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * What the data nodes and SQL servers of an inventory have used, as the kernels of their hosts count it: each question is a few lines of
 * {@code /proc} over a connection to the host that stays open. Thread-safe.
 */
final class HostedUse implements AutoCloseable {
    /** A host that takes longer has no sample in that second. */
    private static final Duration BOUND = Duration.ofMillis(900);

    private final Map<String, HostedProcess> processes = new LinkedHashMap<>();

    /**
     * Connects with the first question. Servers whose process their inventory cannot name are left out, and so are those with a
     * supervisor: PostgreSQL's work is done by a process for each connection, and the one of the pid file has used next to nothing.
     */
    HostedUse(Inventory inventory) {
        Stream.of(Role.DATA, Role.SQL)
                .flatMap(role -> inventory.nodes(role).stream())
                .filter(node -> !node.pidFile().isEmpty()
                        && !node.programs().isEmpty()
                        && node.supervisor().isEmpty())
                .forEach(node -> processes.put(node.id(), new HostedProcess(node)));
    }

    /** By server; those that have no process, or whose host did not answer at once, are left out. */
    Map<String, NodeUse> now() {
        Map<String, CompletableFuture<Optional<NodeUse>>> asked = new LinkedHashMap<>();
        processes.forEach((node, process) ->
                asked.put(node, AtOnce.ask(() -> process.look(BOUND).flatMap(HostedProcess.Seen::use))));
        Map<String, NodeUse> use = new LinkedHashMap<>();
        asked.forEach((node, answer) -> answer.join().ifPresent(used -> use.put(node, used)));
        return use;
    }

    @Override
    public void close() {
        processes.values().forEach(HostedProcess::close);
    }
}
