package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.HaproxyHome;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Starts a cluster of a recipe, step by step, and undoes what was done when a step fails.
 *
 * @param options the engine's own
 */
record ClusterStart<O, C extends ProcessCluster<?>>(EngineRecipe<O, C> recipe, O options, CommonOptions common) {
    /** @throws IllegalArgumentException naming every invalid option with its value and range */
    static <O, C extends ProcessCluster<?>> ClusterStart<O, C> of(
            EngineRecipe<O, C> recipe, Map<String, String> given) {
        OptionReader reader = new OptionReader(recipe.name(), recipe.options(), given);
        CommonOptions common = CommonOptions.read(reader, recipe);
        O options = recipe.read(reader, common);
        reader.check();
        return new ClusterStart<>(recipe, options, common);
    }

    C up(Path directory, Lifetime lifetime, Consumer<String> progress) {
        List<Path> trees = recipe.require(options);
        common.sandbox().require();
        check(directory);
        Optional<HaproxyHome> proxy = common.haproxy().program(System.getenv(), trees);
        Members members = Members.numbered(directory, recipe.nodes(options) + common.spares());
        C cluster = null;
        Process watchdog = null;
        // Keys will be in here, and sockets that want no password.
        Directories.claim(directory, recipe.name());
        try {
            common.sandbox()
                    .make(new Ground(
                            directory,
                            Stream.concat(members.all().stream(), recipe.helpers().stream())
                                    .toList(),
                            lifetime,
                            recipe.loopback()));
            ClusterPlan<O> plan = plan(directory, members, proxy.isPresent(), progress);
            Files.createDirectories(directory.resolve("run"));
            Files.createDirectories(directory.resolve("log"));
            members.begin(recipe.nodes(options));
            recipe.write(plan);
            watchdog = Watchdog.start(directory, directory.resolve("log/watchdog.out"));
            cluster = recipe.open(descriptor(plan));
            cluster.follow(recipe);
            if (lifetime == Lifetime.OWNED) {
                cluster.hold(watchdog);
            }
            cluster.begin();
            recipe.bringUp(plan, cluster);
            if (proxy.isPresent()) {
                int port = plan.proxyPort().orElseThrow();
                Haproxy.start(
                        proxy.get(),
                        directory,
                        port,
                        recipe.proxied().orElseThrow(),
                        recipe.servers(plan),
                        recipe.checked(plan));
                progress.accept("HAProxy in front of all of them, on 127.0.0.1:" + port);
            }
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, directory);
        }
    }

    private void check(Path directory) {
        Directories.requirePlain(directory, "set YCSB_DRILL_STATE to a directory");
        recipe.longestSocket(directory).ifPresent(socket -> Directories.requireShort(directory, socket));
        if (!ProcFs.available()) {
            throw new NodeControlException("local " + recipe.title() + " clusters need Linux (/proc)");
        }
    }

    private ClusterPlan<O> plan(Path directory, Members members, boolean proxied, Consumer<String> progress)
            throws IOException {
        int own = members.all().size() * recipe.portsPerNode() + recipe.sharedPorts(options);
        List<Integer> ports = LocalPorts.free(own + (proxied ? 1 : 0), directory);
        Optional<Integer> proxyPort = proxied ? Optional.of(ports.get(own)) : Optional.empty();
        return new ClusterPlan<>(
                directory, options, common, members, recipe.portsPerNode(), ports.subList(0, own), proxyPort, progress);
    }

    private ClusterDescriptor descriptor(ClusterPlan<O> plan) {
        Map<String, String> state = new HashMap<>(recipe.state(plan));
        plan.proxyPort().ifPresent(port -> state.putAll(Haproxy.state(port)));
        return new ClusterDescriptor(
                recipe.name(), plan.directory(), Instant.now(), recipe.version(plan), recipe.bindings(plan), state);
    }
}
