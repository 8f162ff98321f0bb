package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.os.Directories;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * An engine whose clusters on this machine are a boolean; remembers what was asked of it. All else it tells of itself is what the
 * installed engine of its name tells.
 */
public final class FakeEngine implements LocalEngine {
    public final List<String> calls = new ArrayList<>();
    private final String name;
    private final LocalEngine real;
    private final Map<String, String> nativeProperties;
    public boolean attachable = true;
    public NodeStatus.State nodeState = NodeStatus.State.STARTED;
    List<NodeStatus> proxies = List.of();
    Runnable asked = () -> {};
    HealJournal journal = HealJournal.NONE;

    public FakeEngine(String name) {
        this(name, Map.of("db", StoreDb.class.getName(), "store", name));
    }

    public FakeEngine(String name, Map<String, String> nativeProperties) {
        this.name = name;
        this.real = Engine.installed().stream()
                .filter(engine -> engine.name().equals(name))
                .map(LocalEngine.class::cast)
                .findFirst()
                .orElseThrow();
        this.nativeProperties = nativeProperties;
    }

    /** A cluster of it is up and written down. */
    public FakeEngine upIn(World world) {
        world.clusters().write(descriptor(claimed(world.directory().resolve(name))));
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return real.order();
    }

    @Override
    public List<String> bindings() {
        return real.bindings();
    }

    @Override
    public boolean startsOnDemand() {
        return real.startsOnDemand();
    }

    @Override
    public void check(Map<String, String> options) {
        if (options.getOrDefault("data-nodes", "3").equals("99")) {
            throw new IllegalArgumentException("data-nodes=99 is not from 1 to 9");
        }
    }

    @Override
    public String describe(LocalCluster cluster) {
        return real.describe(cluster);
    }

    @Override
    public Optional<RemoteCluster> remote(EngineContext context) {
        return real.remote(context);
    }

    @Override
    public Optional<String> requestedBy(EngineContext context) {
        return real.requestedBy(context);
    }

    @Override
    public List<RemoteProperty> remoteProperties() {
        return real.remoteProperties();
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        return real.diagnose(context);
    }

    @Override
    public List<Tool> tools() {
        return real.tools();
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option("data-nodes", "3", "how many data nodes, 1 to 9"),
                new Option("proxy", "false", "put a proxy before them"));
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        calls.add("up " + lifetime + " " + options);
        check(options);
        return new Cluster(descriptor(claimed(directory)));
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        if (!attachable) {
            throw new NodeControlException("no process of it is left");
        }
        calls.add("attach");
        return new Cluster(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        calls.add("remove leftovers of " + directory.getFileName());
    }

    private Path claimed(Path directory) {
        Directories.claim(directory, name);
        return directory;
    }

    private ClusterDescriptor descriptor(Path directory) {
        return new ClusterDescriptor(
                name,
                directory,
                Instant.parse("2026-01-02T03:04:05Z"),
                "1.2.3",
                Map.of("native", nativeProperties),
                Map.of());
    }

    private final class Cluster implements LocalCluster {
        private final ClusterDescriptor descriptor;

        Cluster(ClusterDescriptor descriptor) {
            this.descriptor = descriptor;
        }

        @Override
        public ClusterDescriptor descriptor() {
            return descriptor;
        }

        @Override
        public List<NodeStatus> proxies() {
            return proxies;
        }

        @Override
        public void down() {
            calls.add("down");
        }

        @Override
        public String engine() {
            return name;
        }

        @Override
        public String engineVersion() {
            return "1.2.3";
        }

        @Override
        public List<NodeInfo> nodes() {
            return List.of(new NodeInfo("node1", "127.0.0.1", 0), new NodeInfo("node2", "127.0.0.1", 0));
        }

        @Override
        public List<NodeStatus> status() {
            asked.run();
            return List.of(
                            new NodeStatus("node1", NodeStatus.State.STARTED, "", OptionalLong.of(4711)),
                            new NodeStatus("node2", nodeState, "", OptionalLong.empty()))
                    .stream()
                    .map(n -> nodeState == NodeStatus.State.DOWN
                            ? new NodeStatus(n.id(), nodeState, "", OptionalLong.empty())
                            : n)
                    .toList();
        }

        @Override
        public Optional<String> primary() {
            return Optional.of("node1");
        }

        @Override
        public <C> Optional<C> capability(Class<C> type) {
            return type == HealJournal.class ? Optional.of(type.cast(journal)) : Optional.empty();
        }

        @Override
        public AutoCloseable listen(Consumer<EngineEvent> listener) {
            return () -> {};
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
