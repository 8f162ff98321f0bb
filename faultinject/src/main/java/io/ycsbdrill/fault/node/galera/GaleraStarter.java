package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.JdbcProperties;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.galera.GaleraConfig.Ports;
import io.ycsbdrill.fault.node.galera.GaleraPrograms.Begin;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.HaproxyHome;
import io.ycsbdrill.fault.node.haproxy.HealthCheck;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.IsolatedNetwork.Subnet;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Starts a local cluster, step by step, and undoes what was done when a step fails. */
final class GaleraStarter {
    private static final Duration NODE_BOUND = Duration.ofMinutes(3);

    private GaleraStarter() {}

    static GaleraCluster up(
            GaleraHome home, GaleraOptions options, GaleraFiles files, Lifetime lifetime, Consumer<String> progress) {
        if (options.isolated()) {
            IsolatedNetwork.requireNew();
        }
        check(files);
        Optional<HaproxyHome> proxy = options.haproxy().program(System.getenv(), List.of(home.root()));
        Members members = new Members(files.directory(), GaleraCluster.nodeIds(options.nodes() + options.spares()));
        GaleraPrograms programs = new GaleraPrograms(home, files, members);
        GaleraCluster cluster = null;
        Process watchdog = null;
        // In its own network every process is root, be it in a user namespace.
        boolean asRoot = options.isolated() || "root".equals(System.getProperty("user.name"));
        try {
            Directories.claim(files.directory(), GaleraEngine.NAME);
            if (options.isolated()) {
                Files.createDirectories(files.directory());
                IsolatedNetwork.create(Subnet.PRIVATE, files.directory(), members.all(), lifetime);
            }
            int prepared = members.all().size();
            List<Integer> free = LocalPorts.free(prepared * 4 + (proxy.isPresent() ? 1 : 0), files.directory());
            List<Ports> ports = nodePorts(free, prepared);
            Optional<Integer> proxyPort = proxy.map(p -> free.get(free.size() - 1));
            write(home, options, files, ports, asRoot);
            members.begin(options.nodes());
            List<String> nodes = members.members();
            DiskShim.prepare(files.directory(), options.disks());
            if (options.memoryFaults()) {
                MemoryGroups.make(files.directory());
            }
            watchdog = programs.watchdog();
            progress.accept("creating the data directory of the first node");
            Path accounts = Files.writeString(
                    files.directory().resolve("accounts.sql"),
                    GaleraConfig.accounts(IsolatedNetwork.clientAddress(files.directory())));
            programs.install(nodes.get(0), accounts, asRoot);
            cluster = GaleraCluster.open(
                    descriptor(home, options, files, ports, proxyPort),
                    programs,
                    files,
                    lifetime == Lifetime.OWNED ? watchdog : null);
            for (int i = 0; i < nodes.size(); i++) {
                String node = nodes.get(i);
                programs.start(node, i == 0 ? Begin.FIRST : Begin.INITIAL);
                cluster.awaitStarted(node, NODE_BOUND);
                progress.accept(node + " is synced" + (i == 0 ? "" : " with a full copy of the data") + ", on "
                        + servers(files, ports).get(i));
            }
            if (proxy.isPresent()) {
                Map<String, Integer> servers = new LinkedHashMap<>();
                nodes.forEach(
                        node -> servers.put(node, ports.get(servers.size()).sql()));
                Haproxy.start(proxy.get(), files.directory(), proxyPort.get(), HealthCheck.SYNCED, servers, Map.of());
                progress.accept("HAProxy in front of all of them, on 127.0.0.1:" + proxyPort.get());
            }
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, files.directory());
        }
    }

    private static void check(GaleraFiles files) {
        Path directory = files.directory();
        Directories.requireEmpty(directory);
        if (directory.toString().matches(".*[\\s\"'#;:$`\\\\].*")) {
            throw new NodeControlException("directory \"" + directory
                    + "\": blanks, quotes, colons and the like are not supported in paths; use another directory");
        }
        Directories.requireShort(directory, files.home("node1").resolve("recover.sock"));
        if (!ProcFs.available()) {
            throw new NodeControlException("local Galera clusters need Linux (/proc)");
        }
    }

    private static void write(
            GaleraHome home, GaleraOptions options, GaleraFiles files, List<Ports> ports, boolean asRoot)
            throws IOException {
        Files.createDirectories(files.directory());
        // root may be reached by the sockets in here.
        Files.setPosixFilePermissions(files.directory(), PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(files.run());
        Files.createDirectories(files.programs());
        Files.createDirectories(files.output("").getParent());
        for (int number = 1; number <= ports.size(); number++) {
            String node = GaleraCluster.nodeId(number);
            Files.createDirectories(files.data(node));
            Files.createDirectories(files.temporary(node));
            Files.writeString(files.options(node), GaleraConfig.options(home, files, options, ports, number, asRoot));
        }
        Files.writeString(files.script(), GaleraConfig.script());
        if (asRoot) {
            program(files.programs().resolve("rsync"), GaleraConfig.rsyncAsRoot(home.required("rsync")));
            program(files.programs().resolve("wsrep_sst_" + GaleraConfig.SST_AS_ROOT), GaleraConfig.sstAsRoot(files));
        }
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static List<Ports> nodePorts(List<Integer> free, int nodes) {
        List<Ports> ports = new ArrayList<>();
        for (int i = 0; i < nodes * 4; i += 4) {
            ports.add(new Ports(free.get(i), free.get(i + 1), free.get(i + 2), free.get(i + 3)));
        }
        return ports;
    }

    private static ClusterDescriptor descriptor(
            GaleraHome home, GaleraOptions options, GaleraFiles files, List<Ports> ports, Optional<Integer> proxyPort) {
        Map<String, String> state =
                new HashMap<>(Map.of("home", home.root().toString(), "nodes", Integer.toString(ports.size())));
        proxyPort.ifPresent(port -> state.putAll(Haproxy.state(port)));
        List<String> servers = proxyPort
                .map(port -> List.of("127.0.0.1:" + port))
                .orElse(servers(files, ports).subList(0, options.nodes()));
        return new ClusterDescriptor(
                GaleraEngine.NAME,
                files.directory(),
                Instant.now(),
                "unknown",
                Map.of("jdbc", JdbcProperties.at(servers)),
                state);
    }

    /** Address and port of each node for clients. */
    private static List<String> servers(GaleraFiles files, List<Ports> ports) {
        return IntStream.range(0, ports.size())
                .mapToObj(i -> IsolatedNetwork.address(files.directory(), GaleraCluster.nodeId(i + 1)) + ":"
                        + ports.get(i).sql())
                .toList();
    }
}
