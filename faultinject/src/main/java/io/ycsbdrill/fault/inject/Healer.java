package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Capabilities;
import io.ycsbdrill.fault.net.Networked;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Heals a cluster: runs the heal commands of a record, resumes paused nodes, starts nodes that are down, and waits until every
 * node has recovered. Does nothing to a healthy cluster. One healing at a time; a second caller waits.
 */
public final class Healer {
    /** A node that was paused may end itself a moment after it was resumed, when the others have ejected it meanwhile. */
    private static final Duration AFTER_RESUME = Duration.ofSeconds(3);

    private static final Duration COMMAND_BOUND = Duration.ofSeconds(60);
    private static final int PASSES = 3;

    private final NodeController controller;
    private final HealRecord record;
    private final Duration bound;
    private final Consumer<String> progress;

    /**
     * Makes a healer.
     *
     * @param bound maximum time for one node to recover
     * @param progress receives a short line for each action
     */
    public Healer(NodeController controller, HealRecord record, Duration bound, Consumer<String> progress) {
        this.controller = controller;
        this.record = record;
        this.bound = bound;
        this.progress = progress;
    }

    /** Heals and waits; returns what could not be healed, empty when every node has recovered. */
    public synchronized List<String> heal() {
        List<String> problems = new ArrayList<>(runCommands());
        for (int pass = 1; pass <= PASSES; pass++) {
            List<String> now = pass(true);
            if (now.isEmpty() && recovered()) {
                record.open().forEach(record::remove);
                return problems;
            }
            if (pass == PASSES || Thread.currentThread().isInterrupted()) {
                problems.addAll(now.isEmpty() ? List.of("not every node has recovered: " + describe()) : now);
            }
        }
        return problems;
    }

    /** Runs the commands, resumes and starts, without waiting for the recovery: for a process that is about to end. */
    public synchronized List<String> release() {
        List<String> problems = new ArrayList<>(runCommands());
        problems.addAll(pass(false));
        return problems;
    }

    private List<String> runCommands() {
        List<String> problems = new ArrayList<>();
        for (HealRecord.Entry entry : record.open()) {
            if (entry.command().isEmpty()) {
                continue;
            }
            try {
                progress.accept(
                        "healing " + entry.fault() + " of " + entry.node() + ": " + String.join(" ", entry.command()));
                new CommandRunner().run(entry.command(), COMMAND_BOUND);
                record.remove(entry);
            } catch (NodeControlException e) {
                problems.add(e.getMessage());
            }
        }
        return problems;
    }

    private List<String> pass(boolean wait) {
        List<String> problems = new ArrayList<>();
        try {
            controller.capability(Networked.class).ifPresent(Networked::restoreAll);
            List<NodeStatus> all = controller.status();
            boolean resumed = false;
            for (NodeStatus node : all) {
                resumed |= act(node, problems);
            }
            if (wait && resumed) {
                LockSupport.parkNanos(AFTER_RESUME.toNanos());
            }
            if (wait) {
                controller.status().stream()
                        .filter(n -> n.state() != State.STARTED && n.state() != State.DOWN)
                        .forEach(n -> await(n.id(), problems));
                all.stream().filter(n -> n.state() == State.DOWN).forEach(n -> await(n.id(), problems));
            }
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
        return problems;
    }

    private boolean act(NodeStatus node, List<String> problems) {
        try {
            if (node.state() == State.PAUSED) {
                progress.accept("resuming " + node.id());
                Capabilities.require(controller, Pausable.class).resume(node.id());
                return true;
            }
            if (node.state() == State.DOWN) {
                progress.accept("starting " + node.id());
                Capabilities.require(controller, Startable.class).start(node.id());
            }
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
        return false;
    }

    private void await(String node, List<String> problems) {
        try {
            Capabilities.require(controller, Startable.class).awaitStarted(node, bound);
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
    }

    private boolean recovered() {
        return controller.status().stream().allMatch(n -> n.state() == State.STARTED);
    }

    private String describe() {
        return String.join(
                ", ",
                controller.status().stream()
                        .map(n -> n.id() + " " + n.state() + (n.detail().isEmpty() ? "" : " (" + n.detail() + ")"))
                        .toList());
    }
}
