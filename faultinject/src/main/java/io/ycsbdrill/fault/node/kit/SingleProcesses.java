package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The processes of nodes that have several, each by itself. Thread-safe. */
final class SingleProcesses implements Composed {
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);

    private final ProcessCluster<?> cluster;
    /** Those that were killed last, by node and process. */
    private final Map<String, List<OsProcess>> killed = new ConcurrentHashMap<>();

    SingleProcesses(ProcessCluster<?> cluster) {
        this.cluster = cluster;
    }

    @Override
    public List<String> processes() {
        return cluster.parts();
    }

    @Override
    public void kill(String node, String process) {
        cluster.exclusively(node, () -> {
            List<OsProcess> all = killed(node, process);
            await(() -> all.stream().noneMatch(OsProcess::alive), node, process, all, "is still running", "SIGKILL");
            killed.put(node + " " + process, all);
        });
    }

    /** Stopped before its children are listed, it starts no further one that would be in no list. */
    private List<OsProcess> killed(String node, String process) {
        Set<OsProcess> all = new LinkedHashSet<>(running(node, process));
        OsProcess parent = all.iterator().next();
        try {
            cluster.send(parent, "STOP");
            await(() -> parent.stopped() || !parent.alive(), node, process, List.of(parent), "did not stop", "SIGSTOP");
            all.addAll(cluster.processes(node, process));
        } finally {
            all.forEach(cluster::sendKill);
        }
        return List.copyOf(all);
    }

    @Override
    public Sight lookForEnd(String node, String process) {
        List<OsProcess> gone = killed.getOrDefault(node + " " + process, List.of());
        return new Sight(
                !gone.isEmpty() && gone.stream().noneMatch(OsProcess::alive),
                gone.isEmpty()
                        ? process + " of " + node + " was not killed"
                        : process + " of " + node + ", process " + gone.get(0).pid() + ", has ended");
    }

    @Override
    public void pause(String node, String process) {
        cluster.exclusively(node, () -> {
            List<OsProcess> all = running(node, process);
            // The second time there is nothing left that could have started another one since.
            await(
                    () -> stopped(node, process) && stopped(node, process),
                    node,
                    process,
                    all,
                    "did not stop",
                    "SIGSTOP");
        });
    }

    private boolean stopped(String node, String process) {
        List<OsProcess> running = cluster.processes(node, process).stream()
                .filter(each -> !each.stopped())
                .toList();
        running.forEach(each -> cluster.send(each, "STOP"));
        return running.isEmpty();
    }

    @Override
    public Sight lookForPause(String node, String process) {
        List<OsProcess> all = cluster.processes(node, process);
        boolean paused = !all.isEmpty() && all.stream().allMatch(OsProcess::stopped);
        return new Sight(
                paused,
                process + " of " + node
                        + (all.isEmpty()
                                ? " does not run"
                                : (paused ? " is stopped" : " runs") + " (pid " + pids(all) + ")"));
    }

    @Override
    public void resume(String node, String process) {
        cluster.exclusively(node, () -> {
            List<OsProcess> stopped = paused(node, process);
            if (!stopped.isEmpty()) {
                cluster.resume(node, stopped);
            }
        });
    }

    private List<OsProcess> paused(String node, String process) {
        return cluster.processes(node, process).stream()
                .filter(OsProcess::stopped)
                .toList();
    }

    @Override
    public List<String> resumeAll() {
        List<String> resumed = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (NodeInfo node : cluster.nodes()) {
            for (String process : processes()) {
                try {
                    if (!paused(node.id(), process).isEmpty()) {
                        resume(node.id(), process);
                        resumed.add(process + " of " + node.id());
                    }
                } catch (NodeControlException e) {
                    problems.add(e.getMessage());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new NodeControlException(String.join("; ", problems));
        }
        return resumed;
    }

    private List<OsProcess> running(String node, String process) {
        List<OsProcess> all = cluster.processes(node, process);
        if (all.isEmpty()) {
            throw new NodeControlException(process + " of " + node + " does not run now");
        }
        return all;
    }

    private void await(
            BooleanSupplier condition, String node, String process, List<OsProcess> all, String what, String signal) {
        NodeLocks.await(
                SIGNAL_BOUND,
                condition,
                () -> process + " of " + node + " (pid " + pids(all) + ") " + what + " " + SIGNAL_BOUND.toSeconds()
                        + " s after " + signal + cluster.lastWords(node));
    }

    private static String pids(List<OsProcess> all) {
        return all.stream().map(each -> Long.toString(each.pid())).collect(Collectors.joining(", "));
    }
}
