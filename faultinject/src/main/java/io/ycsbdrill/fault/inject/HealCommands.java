package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.NodeControlException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The user's own commands that heal what is recorded, and those that say whether it is healed. Thread-safe. */
final class HealCommands {
    private final HealRecord record;
    private final Duration bound;
    private final Consumer<String> progress;
    private final Set<String> commanded = ConcurrentHashMap.newKeySet();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    HealCommands(HealRecord record, Duration bound, Consumer<String> progress) {
        this.record = record;
        this.bound = bound;
        this.progress = progress;
    }

    /** Nodes that a command was to bring back. */
    Set<String> nodes() {
        return commanded;
    }

    /** Whether a command has called it healed. */
    boolean havePronouncedHealed(String node) {
        return answered.contains(node);
    }

    /** Those of all, before any of them is waited for: what ends this process meanwhile has less to do. */
    List<String> run() {
        return each(entry -> !entry.command().isEmpty() && !record.ran().contains(entry), entry -> {
            progress.accept(
                    "healing " + entry.fault() + " of " + entry.node() + ": " + Secrets.inCommand(entry.command()));
            new CommandRunner(bound).run(entry.command(), entry.bound());
            commanded.add(entry.node());
            record.ran().add(entry);
        });
    }

    /** Waits for the answers. */
    List<String> awaitHealed() {
        return each(record.ran()::contains, entry -> {
            if (!entry.healed().isEmpty()) {
                progress.accept("waiting until " + entry.node() + " is healed: " + Secrets.inCommand(entry.healed()));
                new CommandRunner(bound).await(entry.healed(), entry.bound());
                answered.add(entry.node());
            }
            record.remove(entry);
        });
    }

    private List<String> each(Predicate<HealRecord.Entry> which, Consumer<HealRecord.Entry> action) {
        List<String> problems = new ArrayList<>();
        for (HealRecord.Entry entry : record.open().stream().filter(which).toList()) {
            try {
                action.accept(entry);
            } catch (NodeControlException e) {
                record.ran().remove(entry);
                problems.add(e.getMessage()
                        + record.file()
                                .map(file -> "; it stays recorded in " + file + " and is run again; when "
                                        + entry.node() + " is healed, remove that file")
                                .orElse(""));
            }
        }
        return problems;
    }
}
