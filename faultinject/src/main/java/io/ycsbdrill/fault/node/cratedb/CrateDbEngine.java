package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.http.HttpEngine;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.kit.InstalledRecipe;
import io.ycsbdrill.fault.node.os.ClockShim;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.RunAs;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CrateDB: on this machine, servers of an installation ({@link CrateDbHome#PLACES}) on loopback; elsewhere, clusters that somebody
 * else runs, observed through the servers that the binding uses. Stateless and thread-safe.
 */
public final class CrateDbEngine extends HttpEngine implements InstalledRecipe<CrateDbOptions, CrateDbCluster> {
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
    public List<String> alsoCalled() {
        return List.of("crate");
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
    public EngineHomes<CrateDbHome> homes() {
        return CrateDbHome.PLACES;
    }

    @Override
    public List<Option> ownOptions() {
        return CrateDbOptions.OWN;
    }

    @Override
    public CrateDbOptions read(OptionReader reader, CommonOptions common) {
        return CrateDbOptions.read(reader);
    }

    @Override
    public int nodes(CrateDbOptions options) {
        return options.nodes();
    }

    /** It writes through memory, past the C library. */
    @Override
    public Set<SandboxFeature> without() {
        // The times in its log, which date its phases, would be those of a wrong clock.
        return Set.of(DiskShim.FEATURE, DiskShim.JOURNAL, ClockShim.FEATURE);
    }

    /** Bound to others it checks settings of the machine, and does not start. */
    @Override
    public boolean loopback() {
        return true;
    }

    private static CrateDbHome home(CrateDbOptions options) {
        return CrateDbHome.PLACES.require(options.home());
    }

    @Override
    public List<Path> require(CrateDbOptions options) {
        CrateDbHome home = home(options);
        CrateDbJdk.find(home.root());
        RunAs.of(options.user());
        return List.of();
    }

    @Override
    public int portsPerNode() {
        return CrateDbConfig.PORTS;
    }

    @Override
    public void write(ClusterPlan<CrateDbOptions> plan) throws IOException {
        CrateDbHome home = home(plan.options());
        CrateDbConfig.write(
                home, CrateDbJdk.find(home.root()), RunAs.of(plan.options().user()), plan);
    }

    @Override
    public String version(ClusterPlan<CrateDbOptions> plan) {
        return home(plan.options()).version();
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<CrateDbOptions> plan) {
        List<String> hosts = List.copyOf(plan.servers(CrateDbConfig.SQL).values());
        Map<String, String> rest = new HashMap<>(Map.of(
                "rest.dialect",
                NAME,
                "rest.endpoints",
                plan.servers(CrateDbConfig.HTTP).values().stream()
                        .map(each -> "http://" + each)
                        .collect(Collectors.joining(","))));
        Map<String, String> jdbc = new HashMap<>(Map.of(
                "db.url",
                "jdbc:postgresql://" + hosts.get(0) + "/doc",
                "db.hosts",
                String.join(",", hosts),
                "db.user",
                "crate",
                "db.passwd",
                ""));
        table(plan.options(), "rest.cratedb.", rest);
        table(plan.options(), "db.table.", jdbc);
        return Map.of("rest", rest, "jdbc", jdbc);
    }

    private static void table(CrateDbOptions options, String prefix, Map<String, String> to) {
        if (options.shards() > 0) {
            to.put(prefix + "shards", Integer.toString(options.shards()));
        }
        if (!options.replicas().isEmpty()) {
            to.put(prefix + "replicas", options.replicas());
        }
    }

    @Override
    public Map<String, String> state(ClusterPlan<CrateDbOptions> plan) {
        return Map.of(
                "home",
                home(plan.options()).root().toString(),
                "nodes",
                Integer.toString(plan.nodes().size()),
                "heap",
                plan.options().heap(),
                "user",
                plan.options().user(),
                "http",
                plan.nodes().stream()
                        .map(node -> Integer.toString(plan.port(node, CrateDbConfig.HTTP)))
                        .collect(Collectors.joining(",")));
    }

    @Override
    public CrateDbCluster open(ClusterDescriptor descriptor) {
        return CrateDbCluster.open(descriptor);
    }

    @Override
    public void bringUp(ClusterPlan<CrateDbOptions> plan, CrateDbCluster cluster) {
        cluster.bringUp(plan, CrateDbJdk.find(home(plan.options()).root()));
    }
}
