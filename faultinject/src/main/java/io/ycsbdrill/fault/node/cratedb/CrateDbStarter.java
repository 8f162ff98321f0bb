package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.cratedb.CrateDbConfig.Ports;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.IsolatedNetwork.Subnet;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.RunAs;
import io.ycsbdrill.fault.node.os.Teardown;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Starts a local cluster, step by step, and undoes what was done when a step fails. */
final class CrateDbStarter {
    private static final Duration BOUND = Duration.ofMinutes(4);

    private CrateDbStarter() {}

    static CrateDbCluster up(
            CrateDbHome home,
            CrateDbJdk jdk,
            CrateDbOptions options,
            CrateDbFiles files,
            Lifetime lifetime,
            Consumer<String> progress) {
        if (options.isolated()) {
            IsolatedNetwork.requireNew();
        }
        check(files);
        RunAs user = RunAs.of(options.user());
        Members members = new Members(files.directory(), CrateDbCluster.nodeIds(options.nodes() + options.spares()));
        CrateDbPrograms programs = new CrateDbPrograms(files, user, options.heap());
        CrateDbCluster cluster = null;
        Process watchdog = null;
        try {
            Directories.claim(files.directory(), CrateDbEngine.NAME);
            user.admit(files.directory());
            if (options.isolated()) {
                Files.createDirectories(files.directory());
                // Bound to other addresses than loopback ones CrateDB checks settings of the machine, and does not
                // start.
                IsolatedNetwork.create(Subnet.LOOPBACK, files.directory(), members.all(), lifetime);
            }
            List<Ports> ports = ports(members.all().size(), files.directory());
            write(home, jdk, files, members, options.nodes(), ports, user);
            members.begin(options.nodes());
            if (options.memoryFaults()) {
                MemoryGroups.make(files.directory());
            }
            List<String> nodes = members.members();
            watchdog = Watchdog.start(files.directory(), files.output("watchdog"));
            cluster = CrateDbCluster.open(
                    descriptor(home, options, files, ports), programs, lifetime == Lifetime.OWNED ? watchdog : null);
            progress.accept(nodes.size() + " servers start together, Java " + jdk.version()
                    + user.other().map(each -> ", as " + each.user()).orElse(""));
            nodes.forEach(programs::start);
            for (int i = 0; i < nodes.size(); i++) {
                cluster.awaitStarted(nodes.get(i), BOUND);
                progress.accept(nodes.get(i) + " is in the cluster, HTTP on "
                        + files.address(nodes.get(i)) + ":" + ports.get(i).http() + ", PostgreSQL's protocol on "
                        + ports.get(i).sql());
            }
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, files.directory());
        }
    }

    private static void check(CrateDbFiles files) {
        Directories.requireEmpty(files.directory());
        if (files.directory().toString().matches(".*[\\s\"'#,$`\\\\].*")) {
            throw new NodeControlException("directory \"" + files.directory()
                    + "\": blanks, quotes, commas and the like are not supported in paths; use another directory");
        }
        if (!ProcFs.available()) {
            throw new NodeControlException("local CrateDB clusters need Linux (/proc)");
        }
    }

    private static List<Ports> ports(int nodes, Path cluster) throws IOException {
        List<Integer> free = LocalPorts.free(nodes * 3, cluster);
        List<Ports> ports = new ArrayList<>();
        for (int i = 0; i < nodes * 3; i += 3) {
            ports.add(new Ports(free.get(i), free.get(i + 1), free.get(i + 2)));
        }
        return ports;
    }

    private static void write(
            CrateDbHome home,
            CrateDbJdk jdk,
            CrateDbFiles files,
            Members all,
            int members,
            List<Ports> ports,
            RunAs user)
            throws IOException {
        List<String> nodes = all.all();
        Files.createDirectories(files.directory());
        // Another user must come through to the nodes' own folders, which nobody else may enter.
        Files.setPosixFilePermissions(
                files.directory(),
                PosixFilePermissions.fromString(user.other().isPresent() ? "rwx--x--x" : "rwx------"));
        Files.createDirectories(files.run());
        Files.createDirectories(files.output("").getParent());
        // The script takes the JDK that stands beside it; the installation itself is not touched.
        Path script = files.home().resolve("bin/crate");
        Files.createDirectories(script.getParent());
        Files.copy(home.script(), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String part : List.of("lib", "plugins")) {
            if (Files.isDirectory(home.root().resolve(part))) {
                Files.createSymbolicLink(
                        files.home().resolve(part), home.root().resolve(part).toRealPath());
            }
        }
        Files.createSymbolicLink(files.home().resolve("jdk"), jdk.home());
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get(i);
            Files.createDirectories(files.configuration(node));
            Files.createDirectories(files.data(node));
            Files.createDirectories(files.logs(node));
            Files.writeString(
                    files.configuration(node).resolve("crate.yml"),
                    CrateDbConfig.node(files, nodes, members, ports, i));
            Files.writeString(files.configuration(node).resolve("log4j2.properties"), CrateDbConfig.logging());
            Files.setPosixFilePermissions(files.node(node), PosixFilePermissions.fromString("rwx------"));
            user.own(files.node(node));
        }
        user.check(
                List.of(script, files.home().resolve("lib"), files.home().resolve("jdk/bin/java")),
                files.data(nodes.get(0)));
    }

    private static ClusterDescriptor descriptor(
            CrateDbHome home, CrateDbOptions options, CrateDbFiles files, List<Ports> ports) {
        return new ClusterDescriptor(
                CrateDbEngine.NAME,
                files.directory(),
                Instant.now(),
                home.version(),
                Map.of(
                        "rest",
                        rest(options, servers(files, ports.subList(0, options.nodes()), Ports::http)),
                        "jdbc",
                        jdbc(options, servers(files, ports.subList(0, options.nodes()), Ports::sql))),
                Map.of(
                        "home",
                        home.root().toString(),
                        "nodes",
                        Integer.toString(ports.size()),
                        "heap",
                        options.heap(),
                        "user",
                        options.user(),
                        "http",
                        ports.stream()
                                .map(each -> Integer.toString(each.http()))
                                .collect(Collectors.joining(","))));
    }

    /** Address and port of each. */
    private static List<String> servers(CrateDbFiles files, List<Ports> ports, ToIntFunction<Ports> port) {
        List<String> nodes = CrateDbCluster.nodeIds(ports.size());
        return IntStream.range(0, ports.size())
                .mapToObj(i -> files.address(nodes.get(i)) + ":" + port.applyAsInt(ports.get(i)))
                .toList();
    }

    private static Map<String, String> rest(CrateDbOptions options, List<String> servers) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "rest.dialect",
                CrateDbEngine.NAME,
                "rest.endpoints",
                servers.stream().map(each -> "http://" + each).collect(Collectors.joining(","))));
        table(options, "rest.cratedb.", properties);
        return properties;
    }

    private static Map<String, String> jdbc(CrateDbOptions options, List<String> hosts) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "db.url",
                "jdbc:postgresql://" + hosts.get(0) + "/doc",
                "db.hosts",
                String.join(",", hosts),
                "db.user",
                "crate",
                "db.passwd",
                ""));
        table(options, "db.table.", properties);
        return properties;
    }

    private static void table(CrateDbOptions options, String prefix, Map<String, String> to) {
        if (options.shards() > 0) {
            to.put(prefix + "shards", Integer.toString(options.shards()));
        }
        if (!options.replicas().isEmpty()) {
            to.put(prefix + "replicas", options.replicas());
        }
    }
}
