package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.http.HttpEngine;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * CrateDB: on this machine, servers of an installation ({@link CrateDbHome#find}) on loopback; elsewhere, clusters that somebody
 * else runs, observed through the servers that the binding uses. Stateless and thread-safe.
 */
public final class CrateDbEngine extends HttpEngine implements LocalEngine {
    /** The engine's name as typed. */
    public static final String NAME = "cratedb";

    /** For {@link java.util.ServiceLoader}. */
    public CrateDbEngine() {
        super(
                NAME,
                30,
                CrateDbNodes::connect,
                "a CrateDB cluster that answers at rest.endpoints (rest.dialect=cratedb)");
    }

    @Override
    public List<String> bindings() {
        return List.of("rest", "jdbc");
    }

    /** The way its packages run it. */
    @Override
    public EngineDefaults defaults() {
        return new EngineDefaults(
                "/run/crate/crate.pid",
                List.of("io.crate.bootstrap.CrateDB", "crate"),
                "/var/lib/crate",
                "nodes",
                List.of("systemctl", "start", "crate"),
                List.of());
    }

    @Override
    public List<Option> options() {
        return CrateDbOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        CrateDbOptions.parse(options);
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        CrateDbOptions shape = CrateDbOptions.parse(options);
        CrateDbHome home = CrateDbHome.find(shape.home(), System.getenv())
                .orElseThrow(
                        () -> new NodeControlException("no CrateDB found; let bin/install-cratedb unpack its archive"
                                + " into " + CrateDbHome.cache(System.getenv()) + ", or set CRATEDB_HOME"));
        if (!home.missing().isEmpty()) {
            throw new NodeControlException("CrateDB installation " + home.root() + " lacks "
                    + String.join(", ", home.missing()) + "; expected is an unpacked archive of the server");
        }
        return CrateDbStarter.up(
                home,
                CrateDbJdk.find(home.root()),
                shape,
                new CrateDbFiles(directory.toAbsolutePath().normalize()),
                lifetime,
                progress);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return CrateDbCluster.attach(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }

    /** Never {@code bad}: other engines work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        boolean named = CrateDbHome.named(null, context.environment()).isPresent();
        Optional<CrateDbHome> found = CrateDbHome.find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(Finding.note(
                    "no CrateDB found (CRATEDB_HOME is not set). Next: bin/install-cratedb --archive FILE"));
        }
        CrateDbHome home = found.get();
        List<String> missing = home.missing();
        if (!missing.isEmpty()) {
            return List.of(
                    Finding.note("CrateDB installation: " + home.root() + (named ? " (CRATEDB_HOME)" : " (found)")),
                    Finding.detail(
                            "next: it lacks " + String.join(", ", missing)
                                    + "; set CRATEDB_HOME to the folder that has bin/crate, or unset it and use bin/install-cratedb"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("CrateDB installation: " + home.root() + (named ? " (CRATEDB_HOME)" : " (found)")));
        findings.add(Finding.detail("server: CrateDB " + home.version()));
        try {
            CrateDbJdk jdk =
                    CrateDbJdk.find(home.root(), context.environment(), Path.of(System.getProperty("java.home")));
            findings.add(Finding.detail("its Java: version " + jdk.version() + ", " + jdk.home()));
        } catch (NodeControlException e) {
            findings.set(0, Finding.note(findings.get(0).text()));
            findings.add(Finding.detail("next: " + e.getMessage()));
            return findings;
        }
        home.driver().ifPresent(jar -> findings.add(Finding.detail("driver for jdbc: -cp " + jar)));
        boolean up = context.clusters().find(NAME).isPresent();
        findings.add(Finding.detail("next: ycsb " + (up ? "run rest -P workloads/workloadb" : "cluster up cratedb")));
        return findings;
    }
}
