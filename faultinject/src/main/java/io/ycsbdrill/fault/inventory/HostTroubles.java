package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Troubles of one kind on the hosts of nodes, by {@code node.sh}. Each host has a record of its own while one may be in force, so that
 * another machine can end it. Thread-safe.
 */
final class HostTroubles {
    private final Inventory inventory;
    private final String word;
    private final String what;
    private final Function<String, HostCall> ending;
    /** Nodes with one that this process has begun. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /**
     * Troubles nothing yet.
     *
     * @param word for it in the record
     * @param what has it, for messages: {@code links}
     * @param ending what ends it, by node
     */
    HostTroubles(Inventory inventory, String word, String what, Function<String, HostCall> ending) {
        this.inventory = inventory;
        this.word = word;
        this.what = what;
        this.ending = ending;
    }

    /** Recorded first; begins in place of the one before. */
    void begin(String node, HostCall call) {
        inventory.journal().opened(node, word);
        begun.add(node);
        ask(node, call);
    }

    /** Does nothing on a host where there is none. */
    void end(String node) {
        ask(node, ending.apply(node));
        begun.remove(node);
        inventory.journal().closed(node, Set.of(word));
    }

    /**
     * Ends also what others have left, according to the hosts.
     *
     * @return whether there was one
     */
    boolean endAll() {
        Set<String> nodes = new TreeSet<>(begun);
        inventory.journal().open(problem -> {}).forEach((node, faults) -> {
            if (faults.stream().anyMatch(fault -> fault.startsWith(word + " "))) {
                nodes.add(node);
            }
        });
        List<CompletableFuture<Void>> ends = nodes.stream()
                .map(node -> AtOnce.<Void>ask(() -> {
                    end(node);
                    return null;
                }))
                .toList();
        for (CompletableFuture<Void> each : ends) {
            try {
                each.join();
            } catch (CompletionException e) {
                throw new NodeControlException(e.getCause().getMessage(), e.getCause());
            }
        }
        return !nodes.isEmpty();
    }

    /** Runs a command of the script. */
    ProgramOutput ask(String node, HostCall call) {
        return NodeIo.get(
                "the host of node " + node + ", " + inventory.required(node).host() + ", cannot be reached", () -> {
                    ProgramOutput output = call.run(inventory.timeout());
                    if (output.exit() != 0) {
                        throw new NodeControlException(
                                what + " of node " + node + " cannot be troubled, asked or restored on "
                                        + inventory.required(node).host() + " (exit code " + output.exit() + "): "
                                        + Secrets.inText(output.text().strip()));
                    }
                    return output;
                });
    }
}
