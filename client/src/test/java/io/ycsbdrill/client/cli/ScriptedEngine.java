package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLogs;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.kit.Teardown;
import io.ycsbdrill.fault.node.os.Directories;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** An engine, {@code embedded} unless said otherwise, with nodes in memory that do what {@link FakeNodeController} is told; one cluster only. */
class ScriptedEngine implements LocalEngine {
    final FakeNodeController nodes = new FakeNodeController(NanoClock.SYSTEM, 3);
    /** What the log of each node says; empty when it has none. */
    String log = "";

    private final String name;
    private final String binding;
    private final Map<String, String> properties;

    ScriptedEngine(String store) {
        this("embedded", "native", Map.of("db", StoreDb.class.getName(), "store", store));
    }

    ScriptedEngine(String name, String binding, Map<String, String> properties) {
        this.name = name;
        this.binding = binding;
        this.properties = properties;
    }

    /** A cluster of it is up and written down. */
    ScriptedEngine upIn(World world) {
        Path directory = world.directory().resolve("scripted");
        Directories.claim(directory, name());
        world.clusters().write(descriptor(directory));
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return 50;
    }

    @Override
    public List<String> bindings() {
        return List.of(binding);
    }

    @Override
    public boolean startsOnDemand() {
        return true;
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public void check(Map<String, String> options) {
        // It has none.
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        Directories.claim(directory, name());
        return new Cluster(descriptor(directory));
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return new Cluster(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory, null);
    }

    private ClusterDescriptor descriptor(Path directory) {
        return new ClusterDescriptor(
                name(), directory, Instant.parse("2026-01-02T03:04:05Z"), "1", Map.of(binding, properties), Map.of());
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
        public void down() {
            nodes.close();
        }

        @Override
        public String engine() {
            return name();
        }

        @Override
        public String engineVersion() {
            return "1";
        }

        @Override
        public List<NodeInfo> nodes() {
            return nodes.nodes();
        }

        @Override
        public List<NodeStatus> status() {
            return nodes.status();
        }

        @Override
        public Optional<String> primary() {
            return nodes.primary();
        }

        @Override
        public <C> Optional<C> capability(Class<C> type) {
            if (type == NodeLogs.class && !log.isEmpty()) {
                NodeLogs logs = (node, lines) -> log;
                return Optional.of(type.cast(logs));
            }
            return nodes.capability(type);
        }

        @Override
        public AutoCloseable listen(Consumer<EngineEvent> listener) {
            return nodes.listen(listener);
        }

        @Override
        public void close() {
            // The nodes live on.
        }
    }
}
