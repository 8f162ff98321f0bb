package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.kit.InstalledRecipe;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Harper's open-source version on this machine: one server, which does not replicate. Needs Linux, Node.js and an installation, see
 * {@link HarperHome}. Stateless and thread-safe.
 */
public final class HarperEngine implements InstalledRecipe<HarperOptions, HarperCluster> {
    /** The engine's name as typed. */
    public static final String NAME = "harper";

    @Override
    public int order() {
        return 41;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public EngineHomes<HarperHome> homes() {
        return HarperHome.PLACES;
    }

    @Override
    public List<Option> ownOptions() {
        return HarperOptions.OWN;
    }

    @Override
    public HarperOptions read(OptionReader reader, CommonOptions common) {
        return HarperOptions.read(reader);
    }

    @Override
    public int nodes(HarperOptions options) {
        return 1;
    }

    @Override
    public boolean grows() {
        return false;
    }

    /** It listens on the loopback interface only, and nobody has tried it with the rest. */
    @Override
    public Set<SandboxFeature> without() {
        return NodeSandbox.optional();
    }

    private static HarperHome home(HarperOptions options) {
        return HarperHome.PLACES.require(options.home());
    }

    @Override
    public List<Path> require(HarperOptions options) {
        HarperHome home = home(options);
        HarperHome.requiredNode(System.getenv());
        return List.of();
    }

    @Override
    public Optional<Path> longestSocket(Path directory) {
        return Optional.of(new HarperFiles(directory).root().resolve("operations-server"));
    }

    @Override
    public int sharedPorts(HarperOptions options) {
        return HarperSettings.PORTS;
    }

    private static HarperSettings settings(ClusterPlan<HarperOptions> plan) {
        Path node = HarperHome.node(System.getenv()).orElseThrow();
        return HarperSettings.of(home(plan.options()), node, plan);
    }

    @Override
    public void write(ClusterPlan<HarperOptions> plan) throws IOException {
        new HarperFiles(plan.directory()).write();
    }

    @Override
    public String version(ClusterPlan<HarperOptions> plan) {
        return home(plan.options()).version();
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<HarperOptions> plan) {
        return Map.of("rest", settings(plan).access(new HarperFiles(plan.directory())));
    }

    @Override
    public Map<String, String> state(ClusterPlan<HarperOptions> plan) {
        return settings(plan).state();
    }

    @Override
    public HarperCluster open(ClusterDescriptor descriptor) {
        return HarperCluster.open(descriptor);
    }

    @Override
    public void bringUp(ClusterPlan<HarperOptions> plan, HarperCluster cluster) {
        cluster.bringUp(plan.progress());
    }
}
