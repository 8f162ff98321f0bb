package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.ProcessTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Stops and continues processes in turn, each by a shell of its own, which looks every time whether it still is the process. The shell ends, and lets the process run, when its standard
 * input ends, which is when this process does. Thread-safe.
 */
public final class Starver implements Starvable, AutoCloseable {
    /** For the kit: every cluster has it. */
    public static final SandboxFeature FEATURE = nodes -> Optional.of(new Starver(nodes::process));

    private static final double PERIOD_SECONDS = 0.1;

    /** Arguments: the process, its start, its programs, seconds stopped, seconds running. */
    private static final String SCRIPT = OsProcess.PROOF + """
            ours "$1" "$2" "$3" || exit 1
            while same "$1" "$2" && kill -STOP "$1"; do
              sleep "$4"
              same "$1" "$2" && kill -CONT "$1"
              sleep "$5"
            done &
            cat >/dev/null
            kill $!
            wait
            same "$1" "$2" && kill -CONT "$1"
            """;

    private static final long END_BOUND_SECONDS = 5;

    private final Function<String, Optional<OsProcess>> processes;
    private final Map<String, Burst> bursts = new HashMap<>();

    /** What is done to one node, and what was seen of it. */
    private static final class Burst {
        final OsProcess process;
        final Process shell;
        boolean stopped;
        boolean ran;

        Burst(OsProcess process, Process shell) {
            this.process = process;
            this.shell = shell;
        }
    }

    /** @param processes the process of a node; empty when it is not running */
    Starver(Function<String, Optional<OsProcess>> processes) {
        this.processes = processes;
    }

    @Override
    public synchronized void starve(String node, double share) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
        OsProcess process = processes
                .apply(node)
                .orElseThrow(() -> new NodeControlException(node + " cannot be starved: it has no process"));
        relieve(node);
        NodeIo.run(node + " cannot be starved", () -> {
            Process shell = new ProcessBuilder(
                            "sh",
                            "-c",
                            SCRIPT,
                            "sh",
                            Long.toString(process.pid()),
                            process.ticks(),
                            process.names(),
                            seconds(share),
                            seconds(1 - share))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            bursts.put(node, new Burst(process, shell));
        });
    }

    private static String seconds(double share) {
        return Formatted.of("%.3f", share * PERIOD_SECONDS);
    }

    /** Looks several times within one period, so that one answer usually tells. */
    @Override
    public Sight look(String node) {
        Burst burst;
        synchronized (this) {
            burst = bursts.get(node);
        }
        if (burst == null) {
            return new Sight(false, node + " is not starved");
        }
        for (int i = 0; i < 40 && !(burst.stopped && burst.ran); i++) {
            boolean stopped = burst.process.stopped();
            burst.stopped |= stopped;
            // Before the first stop it says nothing that the process runs.
            burst.ran |= burst.stopped && !stopped && burst.process.alive();
            try {
                TimeUnit.MILLISECONDS.sleep(3);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        String pid = " (pid " + burst.process.pid() + ")";
        return burst.stopped && burst.ran
                ? new Sight(true, node + pid + " is stopped and continued in turn")
                : new Sight(false, node + pid + (burst.stopped ? " does not run again" : " is not stopped"));
    }

    /** Whether the node's process is being stopped and continued in turn. */
    public synchronized boolean starves(String node) {
        Burst burst = bursts.get(node);
        return burst != null && burst.process.alive();
    }

    @Override
    public synchronized void relieveAll() {
        Set.copyOf(bursts.keySet()).forEach(this::relieve);
    }

    @Override
    public void close() {
        relieveAll();
    }

    @Override
    public synchronized void relieve(String node) {
        Burst burst = bursts.remove(node);
        if (burst == null) {
            return;
        }
        boolean interrupted = Thread.interrupted(); // a clean-up must not be cut short
        try {
            burst.shell.getOutputStream().close();
            if (!burst.shell.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)) {
                ProcessTree.kill(burst.shell);
            }
        } catch (IOException e) {
            burst.shell.destroyForcibly();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            burst.process.signal("CONT");
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
