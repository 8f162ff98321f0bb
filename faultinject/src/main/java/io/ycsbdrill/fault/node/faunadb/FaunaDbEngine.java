package io.ycsbdrill.fault.node.faunadb;

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
import java.util.Set;

/**
 * FaunaDB on this machine, as built from its published source. Needs Linux, Java 17 and an installation, see {@link FaunaDbHome}.
 * Stateless and thread-safe.
 */
public final class FaunaDbEngine implements InstalledRecipe<FaunaDbOptions, FaunaDbCluster> {
    /** The engine's name as typed. */
    public static final String NAME = "faunadb";

    @Override
    public List<String> alsoCalled() {
        return List.of("fauna");
    }

    @Override
    public int order() {
        return 42;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public EngineHomes<FaunaDbHome> homes() {
        return FaunaDbHome.PLACES;
    }

    @Override
    public List<Option> ownOptions() {
        return FaunaDbOptions.OWN;
    }

    @Override
    public FaunaDbOptions read(OptionReader reader, CommonOptions common) {
        return FaunaDbOptions.read(reader);
    }

    @Override
    public int nodes(FaunaDbOptions options) {
        return options.nodes();
    }

    @Override
    public boolean grows() {
        return false;
    }

    /** Its nodes know each other by addresses of their own on the loopback interface, and it writes through memory. */
    @Override
    public Set<SandboxFeature> without() {
        return NodeSandbox.optional();
    }

    private static FaunaDbHome home(FaunaDbOptions options) {
        return FaunaDbHome.PLACES.require(options.home());
    }

    @Override
    public List<Path> require(FaunaDbOptions options) {
        FaunaDbHome home = home(options);
        FaunaDbHome.java();
        return List.of();
    }

    @Override
    public int sharedPorts(FaunaDbOptions options) {
        return 3;
    }

    private static FaunaDbSettings settings(ClusterPlan<FaunaDbOptions> plan) {
        FaunaDbOptions options = plan.options();
        return new FaunaDbSettings(
                home(options),
                FaunaDbHome.java(),
                options.nodes(),
                options.replicas(),
                options.heap(),
                plan.sharedPort(0),
                plan.sharedPort(1),
                plan.sharedPort(2));
    }

    @Override
    public void write(ClusterPlan<FaunaDbOptions> plan) throws IOException {
        new FaunaDbFiles(plan.directory()).write(settings(plan));
    }

    @Override
    public String version(ClusterPlan<FaunaDbOptions> plan) {
        return home(plan.options()).version();
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<FaunaDbOptions> plan) {
        return Map.of("rest", settings(plan).access(new FaunaDbFiles(plan.directory())));
    }

    @Override
    public Map<String, String> state(ClusterPlan<FaunaDbOptions> plan) {
        return settings(plan).state();
    }

    @Override
    public FaunaDbCluster open(ClusterDescriptor descriptor) {
        return FaunaDbCluster.open(descriptor);
    }

    @Override
    public void bringUp(ClusterPlan<FaunaDbOptions> plan, FaunaDbCluster cluster) throws IOException {
        cluster.bringUp(plan.progress());
    }
}
