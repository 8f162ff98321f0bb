package io.ycsbdrill.fault.node.faunadb;

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
 * FaunaDB on this machine, as built from its published source. Needs Linux, Java 17 and an installation, see {@link FaunaDbHome}.
 * Stateless and thread-safe.
 */
public final class FaunaDbEngine implements LocalEngine {
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
    public List<Option> options() {
        return FaunaDbOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        FaunaDbOptions.parse(options);
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        FaunaDbOptions shape = FaunaDbOptions.parse(options);
        FaunaDbHome home = FaunaDbHome.find(shape.home(), System.getenv())
                .orElseThrow(() -> new NodeControlException(
                        "no FaunaDB found; let bin/install-faunadb unpack an archive" + " into "
                                + FaunaDbHome.cache(System.getenv()) + " (no root needed), or set FAUNADB_HOME"));
        if (!home.missing().isEmpty()) {
            throw new NodeControlException(
                    "FaunaDB installation " + home.root() + " lacks " + String.join(", ", home.missing()));
        }
        return FaunaDbStarter.up(
                home, shape, new FaunaDbFiles(directory.toAbsolutePath().normalize()), lifetime, progress);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return FaunaDbCluster.open(descriptor, null);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
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
        boolean up = context.clusters().find(NAME).isPresent();
        return List.of(
                Finding.okIf(
                        obstacle.isEmpty(), "FaunaDB installation: " + home.root() + ", version " + home.version()),
                Finding.detail("next: "
                        + (obstacle.isEmpty()
                                ? "ycsb " + (up ? "run rest -P workloads/workloadb" : "cluster up faunadb")
                                : obstacle)));
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
