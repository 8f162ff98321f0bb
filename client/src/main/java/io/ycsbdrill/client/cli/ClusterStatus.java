package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cli.option.RemoteOptions;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        description = "Shows the clusters that were started here, or one elsewhere, and their nodes.",
        footer = {
            "",
            "Exit codes:  0 every node and proxy of every cluster is started, 1 otherwise%n             or when there is no cluster"
        })
final class ClusterStatus extends ContextCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = BindingNames.Local.class,
            description = "Show only this engine's cluster.")
    private String engine;

    @Mixin
    private RemoteOptions remote;

    @Mixin
    private JsonOption json;

    ClusterStatus(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        ClusterFinder finder = new ClusterFinder(world);
        Optional<String> asked = Optional.ofNullable(engine);
        List<ClusterDescriptor> found = finder.recorded(asked);
        Optional<RemoteCluster> elsewhere = remote.named(world, asked);
        if (elsewhere.isPresent()) {
            return show(finder, elsewhere.get()) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
        if (found.isEmpty()) {
            world.say("no cluster " + (engine == null ? "" : "of engine " + engine + " ")
                    + "is up; start one: ycsb cluster up" + (engine == null ? "" : " " + engine));
            return CommandLine.ExitCode.SOFTWARE;
        }
        boolean healthy = true;
        for (ClusterDescriptor descriptor : found) {
            try {
                healthy &= show(finder, descriptor);
            } catch (OutsideNetworkException e) {
                int exitCode = new Inside(world)
                        .run(e, List.of("cluster", "status", descriptor.engine(), "--json=" + json.given()));
                healthy &= exitCode == CommandLine.ExitCode.OK;
            }
        }
        return healthy ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean show(ClusterFinder finder, ClusterDescriptor descriptor) {
        IsolatedNetwork.requireInside(descriptor.directory());
        State state = new State(descriptor.engine(), descriptor.engineVersion())
                .with("createdAt", ", up since ", descriptor.createdAt())
                .with("directory", ", in ", descriptor.directory());
        begin(state);
        try (LocalCluster cluster = finder.attach(descriptor)) {
            state.nodes("nodes", cluster.status(), cluster.primary());
            state.nodes("proxies", cluster.proxies(), Optional.empty());
            cluster.incomplete().ifPresent(state::notUsable);
        } catch (NodeControlException e) {
            state.notUsable(e.getMessage());
        }
        return print(state);
    }

    private boolean show(ClusterFinder finder, RemoteCluster elsewhere) {
        try (ControlledCluster cluster = finder.connect(elsewhere)) {
            NodeController nodes = cluster.nodes();
            State state =
                    new State(nodes.engine(), nodes.engineVersion()).with("address", ", at ", elsewhere.address());
            begin(state);
            state.nodes("nodes", nodes.status(), nodes.primary());
            return print(state);
        }
    }

    /** Says which cluster it is before that is asked: it may not answer. */
    private void begin(State state) {
        if (!json.given()) {
            world.out().println(state.text);
            world.out().flush();
            state.text.setLength(0);
        }
    }

    private boolean print(State state) {
        if (json.given()) {
            world.out().println(state.json.put("healthy", state.healthy).toPrettyString());
        } else {
            world.out().print(state.text);
        }
        world.out().flush();
        return state.healthy;
    }

    /** What is said of one cluster, for people and for scripts. */
    private static final class State {
        private final ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        private final StringBuilder text = new StringBuilder();
        private boolean healthy = true;

        State(String engine, String version) {
            json.put("engine", engine).put("engineVersion", version);
            text.append(engine).append(' ').append(version);
        }

        /** Where it is, or since when. */
        State with(String key, String words, Object value) {
            json.put(key, value.toString());
            text.append(words).append(value);
            return this;
        }

        /** Its servers of one kind. */
        void nodes(String kind, List<NodeStatus> all, Optional<String> primary) {
            ArrayNode nodes = json.putArray(kind);
            for (NodeStatus node : all) {
                String state = node.state().name().toLowerCase(Locale.ROOT);
                boolean leads = primary.filter(node.id()::equals).isPresent();
                ObjectNode one = nodes.addObject().put("id", node.id()).put("state", state);
                node.pid().ifPresent(pid -> one.put("pid", pid));
                one.put("primary", leads).put("detail", node.detail());
                String line = Formatted.of("  %-10s %-9s", node.id(), state)
                        + (node.pid().isPresent() ? " pid " + node.pid().getAsLong() : "")
                        + (leads ? " (primary)" : "")
                        + (node.detail().isEmpty() ? "" : "  " + node.detail());
                text.append(line.stripTrailing()).append(System.lineSeparator());
                healthy &= node.state() == NodeStatus.State.STARTED;
            }
        }

        /** It cannot be asked, or its nodes cannot be started. */
        void notUsable(String why) {
            json.put("problem", why);
            text.append("  not usable: ").append(why).append(System.lineSeparator());
            healthy = false;
        }
    }
}
