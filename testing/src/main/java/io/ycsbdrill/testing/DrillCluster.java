package io.ycsbdrill.testing;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A cluster that drills are run on. Thread-safe: one drill at a time runs on a cluster, a second one waits for it; drills on
 * different clusters run at the same time.
 *
 * <pre>{@code
 * try (DrillCluster cluster = DrillCluster.embedded().dataNodes(3).start()) {
 *     DrillResult result = cluster.drill("crash")
 *             .step("crash", new RestartNode(StopMode.KILL, Duration.ofSeconds(2)))
 *             .run();
 * }
 * }</pre>
 *
 * <p>Nothing of it ends the JVM, handles signals or sets up logging. Files are written below one directory only: the one given
 * to the builder, else a temporary one.
 */
public final class DrillCluster implements AutoCloseable {
    private final Optional<NodeController> nodes;
    private final boolean owned;
    private final String binding;
    private final Map<String, String> properties;
    private final Workspace workspace;
    private final Consumer<String> log;
    private final ReentrantLock turn = new ReentrantLock(true);
    private boolean closed;

    DrillCluster(Optional<NodeController> nodes, boolean owned, DrillClusterBuilder from, Workspace workspace) {
        this.nodes = nodes;
        this.owned = owned;
        this.binding = from.binding();
        this.properties = from.properties();
        this.workspace = workspace;
        this.log = from.log();
    }

    /**
     * An embedded cluster (Apache Ignite, each data node in a JVM of its own, on the loopback interface), started for this object
     * and stopped with it; it also ends when this process does, however that happens. Needs Linux. Its figures are not those of any
     * other database.
     */
    public static DrillClusterBuilder embedded() {
        return local("embedded");
    }

    /**
     * A cluster of the engine, started on this machine for this object and stopped with it. Other engines than {@code embedded}
     * need an installation.
     *
     * @param engine {@code embedded}, {@code ndb} or {@code galera}
     */
    public static DrillClusterBuilder local(String engine) {
        return DrillClusterBuilder.starting(engine);
    }

    /**
     * A cluster of this machine that {@code ycsb cluster up} has started; it is left running. A drill is refused by a
     * {@link ConfigException} while another process, or another object for the same cluster, drills it.
     *
     * @param engine {@code embedded}, {@code ndb} or {@code galera}
     */
    public static DrillClusterBuilder running(String engine) {
        return DrillClusterBuilder.attaching(engine);
    }

    /**
     * A cluster of your own. Which faults can be injected depends on the controller's capabilities, for example
     * {@link io.ycsbdrill.fault.node.Killable}. The builder needs a binding.
     *
     * @param nodes closed with the cluster; its nodes are left as they are
     */
    public static DrillClusterBuilder given(NodeController nodes) {
        return DrillClusterBuilder.given(Optional.of(nodes));
    }

    /**
     * Servers whose nodes cannot be controlled: for runs without faults, and for faults of the network, which are injected by proxies
     * in this process (bindings {@code jdbc} and {@code rest}). The builder needs a binding.
     */
    public static DrillClusterBuilder servers() {
        return DrillClusterBuilder.given(Optional.empty());
    }

    /**
     * Begins a drill that is built in code; its steps are added by {@link Drill#step}.
     *
     * @param name letters, digits, {@code -} and {@code _}; for messages and the run directory
     */
    public Drill drill(String name) {
        return new Drill(this, name);
    }

    /** Begins a drill with this schedule: its steps, times and limits are those of the schedule. */
    public Drill drill(FaultSchedule schedule) {
        return new Drill(this, schedule);
    }

    /**
     * Begins a drill from a YAML file, see docs/drills.md.
     *
     * @throws ConfigException with everything that is wrong in it
     * @throws UncheckedIOException when it cannot be read
     */
    public Drill drill(Path file) {
        try {
            return new Drill(this, DrillFile.read(file));
        } catch (DrillFileException e) {
            throw new ConfigException(e.problems());
        } catch (IOException e) {
            throw new UncheckedIOException("drill file " + file + " cannot be read: " + FileReason.of(e), e);
        }
    }

    /** What controls the nodes, for faults outside of a drill or to look at their state; empty for {@link #servers}. */
    public Optional<NodeController> nodes() {
        return nodes;
    }

    /** Where this cluster's files and the run directories are. */
    public Path directory() {
        return workspace.root();
    }

    /** From now on all run directories stay when the cluster is closed, also those in a temporary directory. */
    public void keepRuns() {
        workspace.keepAll();
    }

    Map<String, String> properties() {
        return properties;
    }

    Workspace workspace() {
        return workspace;
    }

    void say(String line) {
        log.accept(line);
    }

    /** Access to the database through this binding; empty: the cluster's own. */
    Access access(Optional<String> through) {
        return Access.of(through.orElse(binding), nodes.map(this::controlled), false);
    }

    private ControlledCluster controlled(NodeController controller) {
        boolean found = !owned && controller instanceof LocalCluster;
        return new ControlledCluster(controller, workspace.records(controller), found);
    }

    DrillResult run(Drill drill) {
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for another drill on this cluster", e);
        }
        try {
            if (closed) {
                throw new IllegalStateException("the cluster is closed");
            }
            return new DrillRun(this, drill).execute();
        } finally {
            turn.unlock();
        }
    }

    /**
     * Waits for a drill that goes on, stops the cluster if it was started for this object, and removes the temporary directory but
     * for the run directories to be kept. Closing twice is harmless.
     */
    @Override
    public void close() {
        turn.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                nodes.ifPresent(this::leave);
            } finally {
                workspace.close();
            }
        } finally {
            turn.unlock();
        }
    }

    private void leave(NodeController controller) {
        if (owned && controller instanceof LocalCluster local) {
            local.down();
        } else {
            controller.close();
        }
    }
}
