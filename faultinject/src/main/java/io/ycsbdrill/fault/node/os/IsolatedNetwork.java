package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.OptionReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The network of a local cluster that has one of its own, in the folder {@code network} of the cluster's directory: a network namespace
 * for each data node, joined by a bridge in one more, where everything else runs: clients, management and SQL servers, and the commands of
 * this tool. For a user who is not root they are all inside one user namespace. The machine's own network gets no interface and no packet.
 *
 * <p>A namespace lasts as long as a process is in it; one process for each, the keeper, does nothing else. What happens to the links is
 * the matter of {@link IsolatedLinks}. Immutable.
 */
public final class IsolatedNetwork {
    /** The option of {@code cluster up}. */
    public static final Option OPTION = new Option(
            "network",
            "host",
            "host: all servers share this machine's loopback interface; isolated: each data node has a network of its own"
                    + " whose links drills can cut; needs Linux namespaces and nft");

    /** For the kit, which attaches it to every engine. */
    public static final SandboxFeature FEATURE = new SandboxFeature() {
        @Override
        public List<Option> options() {
            return List.of(OPTION);
        }

        @Override
        public boolean wanted(OptionReader reader) {
            String value = reader.text(OPTION.name());
            if (!value.matches("host|isolated")) {
                reader.problem("--" + OPTION.name() + " " + value + ": expected host or isolated");
            }
            return value.equals("isolated");
        }

        @Override
        public void require() {
            requireNew();
        }

        @Override
        public void make(Ground ground) {
            Subnet subnet = ground.loopback() ? Subnet.LOOPBACK : Subnet.PRIVATE;
            create(subnet, ground.cluster(), ground.nodes(), ground.lifetime());
        }

        @Override
        public List<String> enter(Path cluster, String node) {
            return of(cluster).map(network -> network.into(node)).orElse(List.of());
        }

        @Override
        public Optional<?> attach(SandboxedNodes nodes) {
            return of(nodes.directory()).map(network -> network.links(nodes::beforeMending));
        }

        @Override
        public void end(Path cluster) {
            IsolatedNetwork.end(cluster);
        }
    };

    /** As it is typed after {@code --}. */
    public static final String SWITCH = OPTION.name() + " isolated";

    /** The environment variable of a process that was started inside: the cluster's directory or, while it has none, the network outside. */
    public static final String VARIABLE = "YCSB_DRILL_INSIDE";

    private static final String KEEPER = "keeper";
    private static final int KEEPER_HOST = 254;
    private static final Duration BOUND = Duration.ofSeconds(20);
    private final Path folder;
    private final Subnet subnet;
    private final List<String> nodes;

    private IsolatedNetwork(Path folder, Subnet subnet, List<String> nodes) {
        this.folder = folder;
        this.subnet = subnet;
        this.nodes = nodes;
    }

    /**
     * The links between its nodes.
     *
     * @param beforeMending what is done to a node whose links are cut before they are mended
     */
    IsolatedLinks links(Consumer<String> beforeMending) {
        return new IsolatedLinks(this, beforeMending);
    }

    /** That of a cluster which was started with it; empty when the cluster was not. */
    public static Optional<IsolatedNetwork> of(Path cluster) {
        Path folder = cluster.resolve("network");
        return NodeIo.get("the network of " + cluster + " is not known", () -> {
            if (!Files.exists(nodes(folder))) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(nodes(folder));
            return Optional.of(new IsolatedNetwork(
                    folder, Subnet.valueOf(lines.get(0)), List.copyOf(lines.subList(1, lines.size()))));
        });
    }

    /** A file: the name of the subnet, then the nodes. */
    private static Path nodes(Path folder) {
        return folder.resolve("nodes");
    }

    // --- Inside and outside

    /**
     * To be called before a cluster with an isolated network is started.
     *
     * @throws OutsideNetworkException unless this process is in a network of its own
     * @throws NodeControlException when there can be none on this machine
     */
    public static void requireNew() {
        if (isNew(String.valueOf(System.getenv(VARIABLE)))) {
            return;
        }
        List<String> missing = NetworkNamespaces.missing();
        if (!missing.isEmpty()) {
            throw new NodeControlException(
                    "--" + SWITCH + " needs " + String.join(", ", missing)
                            + ", not found on this machine; install your distribution's packages util-linux, iproute2 and nftables");
        }
        throw new OutsideNetworkException(
                "--" + SWITCH + " needs a process that is in a network of its own, which bin/ycsb provides",
                NetworkNamespaces.fresh(),
                own());
    }

    /** Whether this process has left the network that was outside: what makes a new one changes the addresses of the one that it is in. */
    static boolean isNew(String outside) {
        return outside.startsWith("net:") && !outside.equals(own());
    }

    private static String own() {
        return NetworkNamespaces.namespace("self", "net");
    }

    /**
     * To be called before a cluster is attached to; does nothing when it has no network of its own, or its keeper has gone.
     *
     * @throws OutsideNetworkException when this process is not in the cluster's network
     */
    public static void requireInside(Path cluster) {
        of(cluster).ifPresent(network -> network.keeper(KEEPER).ifPresent(keeper -> {
            if (!own().equals(NetworkNamespaces.namespace(Long.toString(keeper), "net"))) {
                throw new OutsideNetworkException(
                        "the cluster in " + cluster + " has a network of its own, and this process is not in it",
                        NetworkNamespaces.entry(keeper),
                        cluster.toString());
            }
        }));
    }

    // --- The network of a cluster

    /**
     * Makes the network, before the first node is started.
     *
     * @param subnet the nodes' addresses
     * @param cluster the cluster's directory, which is there
     * @param nodes the data nodes, spare ones included, in their order
     * @param lifetime whether it ends with this process
     * @throws OutsideNetworkException unless this process is in a network of its own
     * @throws NodeControlException when it cannot be made; nothing of it is left then
     */
    static void create(Subnet subnet, Path cluster, List<String> nodes, Lifetime lifetime) {
        requireNew();
        IsolatedNetwork network = new IsolatedNetwork(cluster.resolve("network"), subnet, List.copyOf(nodes));
        try {
            Files.createDirectories(network.folder);
            network.keep(KEEPER, lifetime, List.of());
            for (String node : nodes) {
                network.keep(node, lifetime, List.of(NetworkNamespaces.required("unshare"), "--net", "--"));
            }
            NodeLocks.await(
                    BOUND,
                    network::kept,
                    () -> "the nodes' network namespaces were not made within " + BOUND.toSeconds() + " s; see "
                            + network.output());
            NetworkNamespaces.run(List.of("sh", "-ec", network.script()));
            Files.write(
                    nodes(network.folder),
                    Stream.concat(Stream.of(subnet.name()), nodes.stream()).toList());
        } catch (IOException e) {
            network.end();
            throw new NodeControlException("the network of " + cluster + " cannot be made: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            network.end();
            throw e;
        }
    }

    /** Starts the process that does nothing but be in a namespace. */
    private void keep(String name, Lifetime lifetime, List<String> entry) throws IOException {
        Path held = Files.createFile(folder.resolve(name + ".held"));
        List<String> command = new ArrayList<>(entry);
        command.add(NetworkNamespaces.required("tail"));
        if (lifetime == Lifetime.OWNED) {
            command.add("--pid=" + ProcessHandle.current().pid());
        }
        command.addAll(List.of("-f", held.toString()));
        Launcher.start(command, folder, output(), pidFile(name), List.of("tail"), environment -> {});
    }

    private Path output() {
        return folder.resolve("output");
    }

    private Path pidFile(String name) {
        return folder.resolve(name + ".pid");
    }

    private Optional<Long> keeper(String name) {
        return PidFile.running(pidFile(name)).map(OsProcess::pid);
    }

    private boolean kept() {
        return keeper(KEEPER).isPresent()
                && nodes.stream().allMatch(node -> keeper(node)
                        .filter(pid -> !NetworkNamespaces.namespace(Long.toString(pid), "net")
                                .equals(own()))
                        .isPresent());
    }

    /** An earlier attempt of this process may have left a bridge. */
    private String script() {
        StringBuilder script = new StringBuilder(Formatted.of("""
                ip link set lo up
                ip link del dev ycsb0 2>/dev/null || true
                ip link add name ycsb0 type bridge
                %sip addr add %s/24 dev ycsb0
                ip link set dev ycsb0 up
                """, subnet.script(), clientAddress()));
        for (String node : nodes) {
            long pid = keeper(node).orElseThrow();
            // The pid as a text: as a number it would have the digits of the user's locale.
            script.append(Formatted.of("""
                    ip link add name %1$s type veth peer name eth0 netns %2$s
                    ip link set dev %1$s master ycsb0 up
                    nsenter --target %2$s --net -- sh -ec '
                      ip link set lo up
                      %4$sip addr add %3$s/24 dev eth0
                      ip link set eth0 up'
                    """, port(node), pid, address(node), subnet.script()));
        }
        return script.toString();
    }

    /** Its directory. */
    Path folder() {
        return folder;
    }

    /** The data nodes, spare ones included, in their order. */
    List<String> nodes() {
        return nodes;
    }

    /** Whether the network of the node is there, as it is until the cluster goes. */
    boolean isThere(String node) {
        return keeper(node).isPresent();
    }

    /** The place of a node, from 1. */
    int number(String node) {
        int number = nodes.indexOf(node) + 1;
        if (number == 0) {
            throw new NodeControlException("there is no node " + node + "; the nodes are " + String.join(", ", nodes));
        }
        return number;
    }

    /** The bridge's port to the node. */
    String port(String node) {
        return "n" + number(node);
    }

    /** The node's address, which the others and clients reach. */
    public String address(String node) {
        return subnet.address(number(node));
    }

    /** The address of everything that is not a data node. */
    public String clientAddress() {
        return subnet.address(KEEPER_HOST);
    }

    /** The address of a data node: its own in an isolated network, else that of the loopback interface. */
    public static String address(Path cluster, String node) {
        return of(cluster).map(network -> network.address(node)).orElse("127.0.0.1");
    }

    /** The address of servers other than data nodes: one in the isolated network, else that of the loopback interface. */
    public static String clientAddress(Path cluster) {
        return of(cluster).map(IsolatedNetwork::clientAddress).orElse("127.0.0.1");
    }

    /**
     * The beginning of the command line by which a data node is started.
     *
     * @throws NodeControlException when the node's network is gone
     */
    List<String> into(String node) {
        long keeper = keeper(node)
                .orElseThrow(() -> new NodeControlException("the network of " + node + " is gone: its keeper in "
                        + folder + " has ended; take the cluster down and start it again"));
        return List.of(NetworkNamespaces.required("nsenter"), "--net=/proc/" + keeper + "/ns/net", "--");
    }

    /** Ends the keepers of a cluster's network, after its nodes; nothing happens when there is none. An interrupt does not cut it short. */
    static void end(Path cluster) {
        new IsolatedNetwork(cluster.resolve("network"), Subnet.PRIVATE, List.of()).end();
    }

    private void end() {
        List<OsProcess> keepers = PidFile.allRunning(folder);
        keepers.forEach(OsProcess::kill);
        keepers.forEach(keeper -> keeper.awaitEnd(BOUND.toMillis()));
    }
}
