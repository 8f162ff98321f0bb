package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Capabilities;
import io.ycsbdrill.fault.net.Networked;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Heals a cluster: runs the heal commands of a record, resumes paused nodes, starts nodes that are down, and waits until every
 * node has recovered. Does nothing to a healthy cluster. One healing at a time; a second caller waits. It remembers what the user's
 * commands have said of nodes, so what is injected later is healed by another healer.
 */
public final class Healer {
    /** A node that was paused may end itself a moment after it was resumed, when the others have ejected it meanwhile. */
    private static final Duration AFTER_RESUME = Duration.ofSeconds(3);

    /** Nodes that have given each other up may end themselves only when their links are mended: within four heartbeats in NDB. */
    private static final Duration AFTER_MENDING = Duration.ofSeconds(8);

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int PASSES = 3;
    private static final Duration LONGEST = Duration.ofDays(1);
    /** For another healing: what that does later, alone, is to wait for nodes. */
    private static final Duration TURN = Duration.ofSeconds(30);

    private final NodeController controller;
    private final HealRecord record;
    private final Duration bound;
    private final Duration afterResume;
    private final Duration afterMending;
    private final Consumer<String> progress;
    private final HealCommands commands;
    /** Nodes whose last start failed: another one is tried, and not said again. */
    private final Set<String> unstartable = ConcurrentHashMap.newKeySet();

    /**
     * Makes a healer.
     *
     * @param bound maximum time for one node to recover
     * @param progress receives a short line for each action
     */
    public Healer(NodeController controller, HealRecord record, Duration bound, Consumer<String> progress) {
        this(controller, record, bound, AFTER_RESUME, AFTER_MENDING, progress);
    }

    Healer(
            NodeController controller,
            HealRecord record,
            Duration bound,
            Duration afterResume,
            Duration afterMending,
            Consumer<String> progress) {
        this.controller = controller;
        this.record = record;
        this.bound = bound;
        this.afterResume = afterResume;
        this.afterMending = afterMending;
        this.progress = progress;
        this.commands = new HealCommands(record, bound, progress);
    }

    /** Heals and waits; returns what could not be healed, empty when every node has recovered. */
    public List<String> heal() {
        List<String> problems = new ArrayList<>(record.alone(LONGEST, commands::run));
        problems.addAll(commands.awaitHealed());
        problems.addAll(record.alone(LONGEST, this::passes));
        return problems;
    }

    private List<String> passes() {
        List<String> problems = new ArrayList<>();
        for (int pass = 1; pass <= PASSES; pass++) {
            List<String> now = pass(true);
            if (now.isEmpty() && recovered(now)) {
                undoAlterations(problems);
                // Where a command has failed, it may be needed still.
                record.open().stream()
                        .filter(entry -> entry.command().isEmpty())
                        .forEach(record::remove);
                return problems;
            }
            // A node that only the user can start does not come up by another pass.
            boolean last = pass == PASSES || startable().isEmpty();
            if (last || Thread.currentThread().isInterrupted()) {
                problems.addAll(now.isEmpty() ? List.of("not every node has recovered: " + describe()) : now);
                return problems;
            }
        }
        return problems;
    }

    /**
     * Runs the commands, resumes and starts, without waiting for the recovery: for a process that is about to end. What was added to a table
     * stays recorded, as clients may be writing to it still.
     */
    public List<String> release() {
        return record.alone(TURN, () -> {
            List<String> problems = new ArrayList<>(commands.run());
            List.copyOf(record.ran()).forEach(record::remove); // nobody will be there to ask
            problems.addAll(pass(false));
            return problems;
        });
    }

    /** By the servers that clients use, so when the nodes serve again. */
    private void undoAlterations(List<String> problems) {
        lift(problems, Alterable.class, table -> table.undoAlterations(bound)
                .forEach(what -> progress.accept("dropped " + what)));
    }

    private List<String> pass(boolean wait) {
        List<String> problems = new ArrayList<>();
        try {
            // Before anybody asks who is paused: a starved node is, most of the time.
            Lifted lifted = lift(problems);
            // What could not be lifted may keep nodes from coming back.
            boolean mayWait = wait && problems.isEmpty();
            if (wait && lifted.mended()) {
                pause(afterMending);
            }
            List<NodeStatus> all = wait ? known() : controller.status();
            boolean resumed = lifted.resumed();
            Set<String> failed = new HashSet<>(); // what could not be started does not come
            for (NodeStatus node : all) {
                try {
                    resumed |= act(node, problems);
                } catch (NodeControlException e) {
                    problems.add(e.getMessage());
                    failed.add(node.id());
                }
            }
            if (wait && resumed) {
                pause(afterResume);
            }
            if (mayWait) {
                controller.status().stream()
                        .filter(n -> n.state() != State.STARTED && !n.state().needsStart())
                        .forEach(n -> await(n.id(), problems));
                all.stream()
                        .filter(n -> n.state().needsStart())
                        .filter(n -> startable().isPresent() || commands.nodes().contains(n.id()))
                        .filter(n -> !failed.contains(n.id()))
                        .forEach(n -> await(n.id(), problems));
            }
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
        return problems;
    }

    /** All of it, unless this thread is interrupted: a park may end at any time. */
    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos();
                left > 0 && !Thread.currentThread().isInterrupted();
                left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** A trouble that cannot be lifted does not keep the others in force. */
    private Lifted lift(List<String> problems) {
        AtomicBoolean mended = new AtomicBoolean();
        AtomicBoolean resumed = new AtomicBoolean();
        lift(problems, Networked.class, Networked::restoreAll);
        lift(problems, Impairable.class, Impairable::restoreAll);
        lift(problems, Deceivable.class, Deceivable::correctAll);
        lift(problems, Partitionable.class, links -> mended.set(links.mendAll()));
        lift(problems, Squeezable.class, Squeezable::releaseAll);
        lift(problems, Starvable.class, Starvable::relieveAll);
        lift(problems, Composed.class, processes -> processes.resumeAll().forEach(process -> {
            progress.accept("resumed " + process);
            resumed.set(true);
        }));
        return new Lifted(mended.get(), resumed.get());
    }

    /** Whether links were mended, and whether single processes of nodes were resumed. */
    private record Lifted(boolean mended, boolean resumed) {}

    private <C> void lift(List<String> problems, Class<C> capability, Consumer<C> how) {
        try {
            controller.capability(capability).ifPresent(how);
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
    }

    /** Nodes that the user has just started may not answer yet. */
    private List<NodeStatus> known() {
        AtomicReference<List<NodeStatus>> all = new AtomicReference<>();
        AtomicReference<String> reason = new AtomicReference<>();
        NodeLocks.await(
                commands.nodes().isEmpty() ? Duration.ZERO : bound,
                LOOK,
                () -> {
                    try {
                        all.set(controller.status());
                        return true;
                    } catch (NodeControlException e) {
                        reason.set(e.getMessage());
                        return false;
                    }
                },
                () -> "it is not known whether the nodes have recovered: " + reason.get());
        return all.get();
    }

    /** Whether it was resumed. */
    private boolean act(NodeStatus node, List<String> problems) {
        if (node.state() == State.PAUSED) {
            progress.accept("resuming " + node.id());
            Capabilities.require(controller, Pausable.class).resume(node.id());
            return true;
        }
        // With the files that it has: whether others have the data that it would lose, only the user can know.
        Capabilities.damage(controller, node.id()).ifPresent(progress);
        if (node.state().needsStart() && startable().isPresent()) {
            if (unstartable.add(node.id())) {
                progress.accept("starting " + node.id());
            }
            startable().get().start(node.id());
            unstartable.remove(node.id());
        } else if (node.state().needsStart() && !commands.nodes().contains(node.id())) {
            boolean recorded = record.open().stream()
                    .anyMatch(entry ->
                            entry.node().equals(node.id()) && !entry.command().isEmpty());
            problems.add("node " + node.id() + " is down" + said(node) + ", and " + controller.engine()
                    + " nodes are started by you" + (recorded ? "" : "; no heal command for it is left to run"));
        }
        return false;
    }

    private Optional<Startable> startable() {
        return controller.capability(Startable.class);
    }

    /** What the user's own question has answered is not asked again; else the engine says when a node has recovered. */
    private void await(String node, List<String> problems) {
        if (commands.havePronouncedHealed(node)) {
            return;
        }
        try {
            if (startable().isPresent()) {
                startable().get().awaitStarted(node, bound);
            } else {
                awaitReported(node);
            }
        } catch (NodeControlException e) {
            problems.add(e.getMessage()
                    + Capabilities.damage(controller, node)
                            .map(text -> "; " + text)
                            .orElse(""));
        }
    }

    private void awaitReported(String node) {
        AtomicReference<String> last = new AtomicReference<>();
        NodeLocks.await(
                bound,
                LOOK,
                () -> {
                    try {
                        NodeStatus now = controller.status().stream()
                                .filter(n -> n.id().equals(node))
                                .findFirst()
                                .orElseThrow();
                        last.set(controller.engine() + " reports it as " + now.state() + said(now));
                        return now.state() == State.STARTED;
                    } catch (NodeControlException e) {
                        last.set("it is not known whether it is healed: " + e.getMessage());
                        return false;
                    }
                },
                () -> "node " + node + " has not recovered within " + bound.toSeconds() + " s"
                        + (commands.nodes().contains(node) ? " after its heal command" : "") + "; " + last.get());
    }

    private static String said(NodeStatus node) {
        return node.detail().isEmpty() ? "" : " (" + node.detail() + ")";
    }

    private boolean recovered(List<String> problems) {
        try {
            return known().stream().allMatch(n -> n.state() == State.STARTED || commands.havePronouncedHealed(n.id()));
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
            return false;
        }
    }

    private String describe() {
        Optional<String> incomplete = controller.capability(LocalCluster.class).flatMap(LocalCluster::incomplete);
        return controller.status().stream()
                        .map(n -> n.id() + " " + n.state() + said(n))
                        .collect(Collectors.joining(", "))
                + incomplete.map(why -> "; " + why).orElse("");
    }
}
