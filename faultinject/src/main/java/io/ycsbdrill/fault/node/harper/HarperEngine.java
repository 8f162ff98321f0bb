package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Harper's open-source version on this machine: one server, which does not replicate. Needs Linux, Node.js and an installation, see
 * {@link HarperHome}. Stateless and thread-safe.
 */
public final class HarperEngine implements LocalEngine {
    /** The engine's name as typed. */
    public static final String NAME = "harper";

    /** For {@link java.util.ServiceLoader}. */
    public HarperEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int order() {
        return 41;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public List<Option> options() {
        return HarperOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        HarperOptions.parse(options);
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        HarperOptions shape = HarperOptions.parse(options);
        HarperHome home = HarperHome.find(shape.home(), System.getenv())
                .orElseThrow(() -> new NodeControlException("no Harper found; let bin/install-harper unpack an archive"
                        + " into " + HarperHome.cache(System.getenv()) + " (no root needed), or set HARPER_HOME"));
        if (!home.missing().isEmpty()) {
            throw new NodeControlException(
                    "Harper installation " + home.root() + " lacks " + String.join(", ", home.missing()));
        }
        return HarperStarter.up(
                home, shape, new HarperFiles(directory.toAbsolutePath().normalize()), lifetime, progress);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return HarperCluster.attach(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }

    /** Never {@code bad}: other engines work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        Optional<HarperHome> found = HarperHome.find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(
                    Finding.note(
                            "no Harper found (HARPER_HOME is not set). Next: bin/install-harper --archive FILE, no root needed"));
        }
        HarperHome home = found.get();
        List<String> missing = home.missing();
        Optional<Path> node = HarperHome.node(context.environment());
        String obstacle = !missing.isEmpty()
                ? "it lacks " + String.join(", ", missing) + "; set HARPER_HOME to the folder that has dist"
                : node.isEmpty()
                        ? "install Node.js " + HarperHome.OLDEST_NODE + " or newer, or set HARPER_NODE"
                        : HarperHome.unfit(node.get()).orElse("");
        boolean up = context.clusters().find(NAME).isPresent();
        return List.of(
                Finding.okIf(
                        obstacle.isEmpty(),
                        "Harper installation: " + home.root() + ", version " + home.version()
                                + node.map(path -> ", run by " + path).orElse("")),
                Finding.detail("next: "
                        + (obstacle.isEmpty()
                                ? "ycsb " + (up ? "run rest -P workloads/workloadb" : "cluster up harper")
                                : obstacle)));
    }
}
