package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import io.ycsbdrill.fault.node.os.Starver;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the kit does for any engine, with servers that only sleep. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ClusterStartTest {
    @TempDir
    Path folder;

    private final List<String> progress = new ArrayList<>();

    @Test
    void aClusterIsStartedFoundAgainAndRemoved() {
        Path directory = folder.resolve("c");
        LocalCluster cluster = new Sleepers().up(directory, Map.of("spare-nodes", "1"), Lifetime.OWNED, progress::add);
        try {
            assertThat(progress).containsExactly("node1", "node2", "store1");
            assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2");
            assertThat(cluster.frontEnds()).extracting(NodeInfo::id).containsExactly("store1");
            assertThat(cluster.status()).extracting(NodeStatus::id).containsExactly("node1", "node2", "store1");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
            assertThat(cluster.capability(Expandable.class).orElseThrow().spares())
                    .extracting(NodeInfo::id)
                    .containsExactly("node3");
            assertThat(cluster.capability(Starvable.class)).isPresent();
            assertThat(cluster.capability(Impairable.class)).as("not asked for").isEmpty();
            assertThat(cluster.descriptor().engineState()).containsEntry("nodes", "3");

            cluster.capability(Killable.class).orElseThrow().kill("store1");

            try (LocalCluster again = new Sleepers().attach(cluster.descriptor())) {
                assertThat(again.status())
                        .extracting(NodeStatus::state)
                        .containsExactly(State.STARTED, State.STARTED, State.DOWN);
            }
        } finally {
            cluster.down();
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void whatWasStartedIsEndedAndRemovedWhenAStepFails() {
        Path directory = folder.resolve("c");
        List<OsProcess> started = new ArrayList<>();
        Sleepers failing = new Sleepers() {
            @Override
            public void bringUp(ClusterPlan<Integer> plan, Sleeping cluster) {
                super.bringUp(plan, cluster);
                started.addAll(cluster.processes("node2"));
                throw new NodeControlException("node2 says no; log: " + cluster.log("node2"));
            }
        };

        assertThatThrownBy(() -> failing.up(directory, Map.of(), Lifetime.DETACHED, progress::add))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("node2 says no; log: " + folder.resolve("failed-start/log-node2.out"));

        assertThat(directory).doesNotExist();
        assertThat(started).hasSize(2).noneMatch(OsProcess::alive);
    }

    /** Such as one that another process has started there a moment ago. */
    @Test
    void aClusterThatIsFoundThereIsNotUndone() {
        Path directory = folder.resolve("c");
        List<LocalCluster> there = new ArrayList<>();
        Sleepers late = new Sleepers() {
            @Override
            public int nodes(Integer options) {
                if (there.isEmpty()) {
                    there.add(new Sleepers().up(directory, Map.of(), Lifetime.OWNED, progress::add));
                }
                return super.nodes(options);
            }
        };
        try {
            assertThatThrownBy(() -> late.up(directory, Map.of(), Lifetime.OWNED, progress::add))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("is left alone: it is not empty");

            assertThat(there.get(0).status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        } finally {
            there.forEach(LocalCluster::down);
        }
    }

    @Test
    void aNodeOfTwoProcessesIsPausedResumedAndKilledAsOne() {
        LocalCluster cluster = new Sleepers().up(folder.resolve("c"), Map.of(), Lifetime.OWNED, progress::add);
        try {
            List<OsProcess> both = ((Sleeping) cluster).processes("node1");
            assertThat(both).hasSize(2);

            cluster.capability(Pausable.class).orElseThrow().pause("node1");
            assertThat(both).allMatch(OsProcess::stopped);
            cluster.capability(Pausable.class).orElseThrow().resume("node1");
            assertThat(both).noneMatch(OsProcess::stopped);
            cluster.capability(Killable.class).orElseThrow().kill("node1");
            assertThat(both).noneMatch(OsProcess::alive);
        } finally {
            cluster.down();
        }
    }

    @Test
    void everyEngineHasTheOptionsOfTheSandboxUnlessItSaysThatItCannot() {
        assertThat(new Sleepers().options())
                .extracting(Option::name)
                .containsExactly(
                        "nodes",
                        "spare-nodes",
                        "network",
                        "disk-faults",
                        "power-loss",
                        "clock-faults",
                        "memory-faults");
        assertThat(NodeSandbox.options(Set.of(DiskShim.FEATURE, DiskShim.JOURNAL)))
                .extracting(Option::name)
                .containsExactly("network", "clock-faults", "memory-faults");
        assertThat(NodeSandbox.optional()).contains(MemoryGroups.FEATURE);
        assertThatThrownBy(() -> new Sleepers() {
                    @Override
                    public Set<SandboxFeature> without() {
                        return Set.of(MemoryGroups.FEATURE);
                    }
                }.check(Map.of("memory-faults", "true", "nodes", "9")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--memory-faults is not an option of the sleepers cluster")
                .hasMessageContaining("--nodes 9: expected a whole number from 1 to 3");
    }

    /** Of a supervisor beside its server it would stop the wrong one, and say that it is in force. */
    @Test
    void whatAnEngineCannotHaveIsNoCapabilityEither() {
        Sleepers never = new Sleepers() {
            @Override
            public Set<SandboxFeature> without() {
                return Set.of(Starver.FEATURE);
            }
        };
        LocalCluster cluster = never.up(folder.resolve("c"), Map.of(), Lifetime.OWNED, progress::add);
        try (LocalCluster again = never.attach(cluster.descriptor())) {
            assertThat(cluster.capability(Starvable.class)).isEmpty();
            assertThat(again.capability(Starvable.class)).isEmpty();
        } finally {
            cluster.down();
        }
    }

    @Test
    void aPathThatSomeConfigurationFileDoesNotSupportIsRefused() {
        assertThatThrownBy(() -> new Sleepers().up(folder.resolve("a b"), Map.of(), Lifetime.OWNED, progress::add))
                .hasMessage("directory \"" + folder.resolve("a b")
                        + "\": the character ' ' is not supported in paths of local clusters, as configuration files take"
                        + " it for something else; set YCSB_DRILL_STATE to a directory without blanks and \"'#;:,$`\\");
        assertThat(folder.resolve("a b")).doesNotExist();
    }

    /** A recipe whose servers sleep; each node has a second process, which leads a session of its own. */
    private static class Sleepers implements InstalledRecipe<Integer, Sleeping> {
        @Override
        public int order() {
            return 0;
        }

        @Override
        public List<String> bindings() {
            return List.of("jdbc");
        }

        @Override
        public EngineHomes<?> homes() {
            return new EngineHomes<>("sleepers", "Sleepers", "bin", Optional.empty(), root -> null);
        }

        @Override
        public List<Option> ownOptions() {
            return List.of(new Option("nodes", "2", "number of nodes"));
        }

        @Override
        public Integer read(OptionReader reader, CommonOptions common) {
            return reader.number("nodes", 1, 3);
        }

        @Override
        public int nodes(Integer options) {
            return options;
        }

        @Override
        public List<Path> require(Integer options) {
            return List.of();
        }

        @Override
        public int portsPerNode() {
            return 1;
        }

        @Override
        public void write(ClusterPlan<Integer> plan) throws IOException {
            for (String node : plan.nodes()) {
                Files.writeString(plan.directory().resolve(node + ".conf"), "port=" + plan.port(node, 0));
            }
        }

        @Override
        public String version(ClusterPlan<Integer> plan) {
            return "1";
        }

        @Override
        public Map<String, Map<String, String>> bindings(ClusterPlan<Integer> plan) {
            return Map.of(
                    "jdbc", Map.of("db.hosts", String.join(",", plan.servers(0).values())));
        }

        @Override
        public Map<String, String> state(ClusterPlan<Integer> plan) {
            return Map.of("nodes", Integer.toString(plan.nodes().size()));
        }

        @Override
        public Sleeping open(ClusterDescriptor descriptor) {
            return new Sleeping(descriptor);
        }

        @Override
        public void bringUp(ClusterPlan<Integer> plan, Sleeping cluster) {
            Stream.of(cluster.nodes(), cluster.frontEnds())
                    .flatMap(List::stream)
                    .map(NodeInfo::id)
                    .forEach(node -> {
                        cluster.start(node);
                        cluster.awaitStarted(node, Duration.ofSeconds(30));
                        plan.progress().accept(node);
                    });
        }
    }

    /** Its state is that of its processes. */
    private static final class Sleeping extends ScriptedCluster {
        Sleeping(ClusterDescriptor descriptor) {
            super(
                    descriptor,
                    Members.numbered(
                            descriptor.directory(),
                            Integer.parseInt(descriptor.engineState().get("nodes"))),
                    List.of("store1"));
        }

        @Override
        protected ProcessHistory history() {
            return new ProcessHistory() {
                @Override
                public boolean running(String node) {
                    return process(node).isPresent();
                }

                @Override
                public boolean recovered(String node) {
                    return running(node);
                }
            };
        }

        private Path second(String node) {
            return directory().resolve("run").resolve(node + "-second.pid");
        }

        @Override
        protected List<String> command(String node, boolean empty) throws IOException {
            if (!node.equals("store1")) {
                Launcher.start(
                        List.of("sleep", "600"),
                        directory(),
                        directory().resolve("log").resolve(node + ".out"),
                        second(node),
                        programs(node),
                        environment -> {});
            }
            return List.of("sleep", "600");
        }

        @Override
        protected List<String> programs(String node) {
            return List.of("sleep");
        }

        @Override
        protected List<OsProcess> processes(String node) {
            return Stream.of(process(node), PidFile.running(second(node)))
                    .flatMap(Optional::stream)
                    .toList();
        }

        @Override
        protected NodeStatus status(String node, OsProcess process) {
            return status(node, State.STARTED, "sleeps", process);
        }
    }
}
