package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.binding.rest.RestCheck;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.WorkloadFiles;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.galera.GaleraHome;
import io.ycsbdrill.fault.node.haproxy.HaproxyHome;
import io.ycsbdrill.fault.node.ndb.NdbHome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import site.ycsb.DBException;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Says what was found on this machine, and what is missing.",
        footer = {
            "",
            "Exit code 0 when run native can work here and the servers named answer, 1 when something is \"bad\"."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final long MEBIBYTE = 1L << 20;
    private static final long EMBEDDED_NEEDS = 2048 * MEBIBYTE;

    @Option(
            names = "-P",
            paramLabel = "FILE",
            description = "Workload file; with rest.endpoints in it, or by -p, these servers are asked, too.")
    private List<String> files = new ArrayList<>();

    @Option(names = "-p", paramLabel = "KEY=VALUE", description = "A property; may be repeated, overrides every file.")
    private List<String> assignments = new ArrayList<>();

    private final CommandContext world;
    private boolean bad;

    DoctorCommand(CommandContext world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        Properties properties = properties();
        ok(Version.line() + " in " + System.getProperty("java.home"));
        machine();
        stateDirectory();
        engines();
        clusters();
        ndb();
        galera();
        haproxy();
        rest(properties);
        world.out().flush();
        return bad ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void machine() {
        int cpus = Runtime.getRuntime().availableProcessors();
        line(cpus >= 2 ? "ok" : "note", cpus + (cpus == 1 ? " cpu; client and cluster share it" : " cpus"));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            long memory = system.getTotalMemorySize();
            String text = memory / MEBIBYTE + " MiB of memory";
            if (memory < EMBEDDED_NEEDS) {
                line("note", text + "; the embedded cluster wants " + EMBEDDED_NEEDS / MEBIBYTE + " MiB");
            } else {
                ok(text);
            }
        }
        String os = System.getProperty("os.name");
        line(os.equals("Linux") ? "ok" : "note", os + (os.equals("Linux") ? "" : "; faults are tested on Linux only"));
    }

    private void stateDirectory() {
        Path root = world.clusters().home("any").getParent();
        try {
            Files.createDirectories(root);
            Files.delete(Files.createTempFile(root, "doctor", ".tmp"));
            long free = Files.getFileStore(root).getUsableSpace() / MEBIBYTE;
            line(free >= 4096 ? "ok" : "note", "state directory " + root + ", " + free + " MiB free");
        } catch (IOException e) {
            bad("state directory " + root + " cannot be written: " + FileReason.of(e)
                    + "; set YCSB_DRILL_STATE to a folder of yours");
        }
    }

    private void engines() {
        if (world.engine("embedded").isEmpty()) {
            bad("the embedded engine is not in this build");
        }
        ok("engines: "
                + String.join(
                        ", ",
                        world.engines().stream().map(LocalEngine::name).sorted().toList()));
    }

    private void clusters() {
        ClusterDirectory directory = world.clusters();
        try {
            if (directory.all().isEmpty()) {
                ok("no cluster is up; run native starts an embedded one for itself");
            }
            directory.all().forEach(this::cluster);
        } catch (NodeControlException e) {
            bad(e.getMessage());
        }
    }

    private void cluster(ClusterDescriptor descriptor) {
        String name = descriptor.engine() + " cluster in " + descriptor.directory();
        try (LocalCluster cluster =
                new ClusterFinder(world).engine(descriptor.engine()).attach(descriptor)) {
            var nodes = cluster.status();
            long started = nodes.stream()
                    .filter(n -> n.state() == NodeStatus.State.STARTED)
                    .count();
            line(
                    started == nodes.size() ? "ok" : "note",
                    name + ": " + started + " of " + nodes.size() + " nodes started");
        } catch (NodeControlException | ConfigException e) {
            line(
                    "note",
                    name + " does not run: " + e.getMessage() + "; remove it: ycsb cluster down "
                            + descriptor.engine());
        }
    }

    private void ndb() {
        boolean named = NdbHome.named(null, world.environment()).isPresent();
        Optional<NdbHome> found = NdbHome.find(null, world.environment());
        if (found.isEmpty()) {
            line(
                    "note",
                    "no NDB installation found (NDB_HOME is not set); without one native uses the embedded cluster,"
                            + " whose figures are not RonDB's. Next: bin/install-ndb, or set NDB_HOME to a MySQL NDB"
                            + " Cluster or RonDB installation");
            return;
        }
        NdbHome home = found.get();
        if (named && !home.holdsSomething()) {
            bad("NDB_HOME=" + world.environment().get("NDB_HOME")
                    + (Files.isDirectory(home.root())
                            ? " holds neither a server nor a client of NDB"
                            : " is not a directory")
                    + "; set it to a MySQL NDB Cluster or RonDB installation, or unset it");
            return;
        }
        List<String> lines = home.describe();
        List<String> missing = new ArrayList<>(home.missing(true));
        home.clientLibrary().ifPresentOrElse(library -> {}, () -> missing.add("libndbclient"));
        home.clusterj().ifPresentOrElse(jar -> {}, () -> missing.add("ClusterJ"));
        line(missing.isEmpty() ? "ok" : "note", lines.get(0) + (named ? " (NDB_HOME)" : " (found)"));
        lines.stream().skip(1).forEach(line -> line("", line.strip()));
        line("", next(missing));
    }

    private String next(List<String> missing) {
        if (!missing.isEmpty()) {
            return "next: it lacks " + String.join(", ", missing)
                    + "; install these packages of the same version, or let bin/install-ndb make a complete one";
        }
        return world.clusters().find("ndb").isPresent()
                ? "next: ycsb run native -P workloads/workloadb"
                : "next: ycsb cluster up ndb, or -p ndb.connectstring=HOST:1186 for a cluster elsewhere";
    }

    /** Never "bad": native works without it. */
    private void galera() {
        boolean named = GaleraHome.named(null, world.environment()).isPresent();
        Optional<GaleraHome> found = GaleraHome.find(null, world.environment());
        if (found.isEmpty()) {
            line(
                    "note",
                    "no MariaDB with Galera found (GALERA_HOME is not set). Next: bin/install-galera, no root needed");
            return;
        }
        GaleraHome home = found.get();
        List<String> missing = home.missing();
        line(
                missing.isEmpty() ? "ok" : "note",
                "Galera installation: " + home.root() + (named ? " (GALERA_HOME)" : " (found)"));
        if (home.program("mariadbd").isPresent()) {
            line("", "server: " + home.version());
        }
        home.provider().ifPresent(provider -> line("", "Galera: " + provider));
        if (!missing.isEmpty()) {
            line(
                    "",
                    "next: it lacks " + String.join(", ", missing)
                            + "; set GALERA_HOME to the folder that has usr, or unset it and let bin/install-galera make"
                            + " a complete one");
        } else if (world.clusters().find("galera").isPresent()) {
            line("", "next: ycsb run jdbc -P workloads/workloadb");
        } else {
            line("", "next: ycsb cluster up galera");
        }
    }

    /** Never "bad": only {@code cluster up --haproxy} needs it. */
    private void haproxy() {
        Optional<Path> named = HaproxyHome.named(null, world.environment());
        Optional<HaproxyHome> found = HaproxyHome.find(null, world.environment(), List.of());
        if (found.isPresent()) {
            String program = "HAProxy: " + found.get().program() + (named.isPresent() ? " (HAPROXY_HOME)" : " (found)");
            try {
                ok(program + ", " + found.get().version());
            } catch (IOException e) {
                line("note", program + " does not run: " + e.getMessage());
            }
            return;
        }
        line(
                "note",
                named.map(place -> "HAPROXY_HOME=" + place + " is neither the program haproxy nor a folder with it in"
                                + " usr/sbin, sbin or bin. Next: correct or unset it")
                        .orElse("no HAProxy found, which cluster up --haproxy needs. Next: bin/install-galera, no root"
                                + " needed, or your distribution's package haproxy"));
    }

    private Properties properties() {
        Problems problems = new Problems();
        Properties properties = new Properties();
        files.forEach(file -> properties.putAll(WorkloadFiles.read(file, world, problems)));
        properties.putAll(BindingOptions.assigned(assignments, problems));
        problems.throwIfAny(ConfigException::new);
        return properties;
    }

    /** Bad only when servers are named: without one, rest works on the embedded cluster. */
    private void rest(Properties properties) {
        String endpoints = properties.getProperty("rest.endpoints", "").strip();
        if (endpoints.isEmpty()) {
            ok(
                    "rest: no servers are named, it uses the cluster that is up, or an embedded one; to have servers looked at:"
                            + " ycsb doctor -p rest.endpoints=http://HOST:PORT -p rest.dialect=NAME");
            return;
        }
        String dialect = properties.getProperty("rest.dialect", "ignite").strip();
        try {
            for (RestCheck check : RestCheck.all(properties, world.environment())) {
                String text = "rest, dialect " + dialect + ": " + check.line();
                if (check.answers()) {
                    ok(text);
                } else {
                    bad(text);
                }
            }
        } catch (DBException e) {
            bad("rest: " + e.getMessage());
        }
    }

    private void ok(String text) {
        line("ok", text);
    }

    private void bad(String text) {
        bad = true;
        line("bad", text);
    }

    private void line(String verdict, String text) {
        world.out().printf("%-4s  %s%n", verdict, text);
    }
}
