package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineRecipe;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * FaunaDB on this machine, as built from its published source. Needs Linux, Java 17 and an installation, see {@link FaunaDbHome}.
 * Stateless and thread-safe.
 */
public final class FaunaDbEngine implements EngineRecipe<FaunaDbOptions, FaunaDbCluster> {
    /** The engine's name as typed. */
    public static final String NAME = "faunadb";

    /** For {@link java.util.ServiceLoader}. */
    public FaunaDbEngine() {}

    @Override
    public String name() {
        return NAME;
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
    public String title() {
        return "FaunaDB";
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
        return FaunaDbHome.find(options.home(), System.getenv())
                .orElseThrow(() -> new NodeControlException(
                        "no FaunaDB found; let bin/install-faunadb unpack an archive" + " into "
                                + FaunaDbHome.cache(System.getenv()) + " (no root needed), or set FAUNADB_HOME"));
    }

    @Override
    public List<Path> require(FaunaDbOptions options) {
        FaunaDbHome home = home(options);
        if (!home.missing().isEmpty()) {
            throw new NodeControlException(
                    "FaunaDB installation " + home.root() + " lacks " + String.join(", ", home.missing()));
        }
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

    /** Never {@code bad}: other engines work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        Optional<FaunaDbHome> found = FaunaDbHome.find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(
                    Finding.note("no FaunaDB found (FAUNADB_HOME is not set). Next: bin/install-faunadb --archive"
                            + " FILE, no root needed"));
        }
        FaunaDbHome home = found.get();
        String obstacle = obstacle(home, context.environment());
        return List.of(
                Finding.okIf(
                        obstacle.isEmpty(), "FaunaDB installation: " + home.root() + ", version " + home.version()),
                obstacle.isEmpty() ? next(context) : Finding.detail("next: " + obstacle));
    }

    private static String obstacle(FaunaDbHome home, Map<String, String> environment) {
        if (!home.missing().isEmpty()) {
            return "it lacks " + String.join(", ", home.missing()) + "; set FAUNADB_HOME to the folder that has lib";
        }
        try {
            FaunaDbHome.java(environment, Path.of(System.getProperty("java.home")));
            return "";
        } catch (NodeControlException e) {
            return e.getMessage();
        }
    }
}
