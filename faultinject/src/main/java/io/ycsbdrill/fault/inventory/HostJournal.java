package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** A file for each node, and for each container of that id, in the journal directory of its machine: one line for each fault. */
record HostJournal(Inventory inventory) implements HealJournal {
    /** What the script writes before each line, as the login may print others. */
    private static final String OPEN = "open: ";

    @Override
    public void opened(String node, String fault) {
        run(node, "journal-add", fault + " " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + who());
    }

    @Override
    public void closed(String node, Set<String> faults) {
        run(node, "journal-clear", String.join("|", faults));
    }

    @Override
    public Map<String, List<String>> open(Consumer<String> problems) {
        Map<String, CompletableFuture<List<String>>> asked = new LinkedHashMap<>();
        for (HostedNode node : inventory.nodes()) {
            if (node.host().machine().isPresent()) {
                asked.put(node.id(), AtOnce.ask(() -> run(node.id(), "journal-read").stream()
                        .filter(line -> line.startsWith(OPEN))
                        .map(line -> line.substring(OPEN.length()))
                        .toList()));
            }
        }
        Map<String, List<String>> open = new LinkedHashMap<>();
        asked.forEach((node, answer) -> {
            try {
                List<String> lines = answer.join();
                if (!lines.isEmpty()) {
                    open.put(node, lines);
                }
            } catch (CompletionException e) {
                problems.accept(e.getCause().getMessage());
            }
        });
        return open;
    }

    private List<String> run(String id, String verb, String... more) {
        HostedNode node = inventory.required(id);
        Optional<Host> machine = node.host().machine();
        if (machine.isEmpty()) {
            return List.of();
        }
        List<String> arguments = new ArrayList<>(List.of(
                inventory.journalDirectory(),
                inventory.engine().name() + "-" + id
                        + (node.host().isContainer() ? "-" + node.host().address() : "")));
        arguments.addAll(List.of(more));
        HostCall call = NodeScript.on(machine.get(), verb, arguments);
        return NodeIo.get(
                "the record of open faults of node " + id + " on " + node.host() + " cannot be reached", () -> {
                    ProgramOutput output = call.run(inventory.timeout());
                    if (output.exit() == 0) {
                        return output.text().lines().toList();
                    }
                    throw new NodeControlException(
                            "the record of open faults of node " + id + " on " + node.host() + ", in "
                                    + inventory.journalDirectory() + ", cannot be read or written (exit code "
                                    + output.exit() + "): "
                                    + output.text().strip());
                });
    }

    private static String who() {
        try {
            return System.getProperty("user.name") + "@"
                    + InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return System.getProperty("user.name");
        }
    }
}
