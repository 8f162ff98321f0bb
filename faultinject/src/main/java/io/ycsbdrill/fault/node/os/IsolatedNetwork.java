package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.LinkCut;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.Partitionable;
import io.ycsbdrill.fault.node.Sight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The network of a local cluster that has one of its own, in the folder {@code network} of the cluster's directory: a network namespace
 * for each data node, joined by a bridge in one more, where everything else runs: clients, management and SQL servers, and the commands of
 * this tool. For a user who is not root they are all inside one user namespace. The machine's own network gets no interface and no packet.
 *
 * <p>A namespace lasts as long as a process is in it; one process for each, the keeper, does nothing else. Links are cut by packet filter
 * rules on the bridge, one table for each node whose links are cut, so a cut outlives the process that has made it. Thread-safe.
 */
public final class IsolatedNetwork implements Partitionable {
    /** For the list of an engine whose nodes can be in such a network. */
    public static final Option OPTION = new Option(
            "network",
            "host",
            "host: all servers share this machine's loopback interface; isolated: each data node has a network of its own"
                    + " whose links drills can cut; needs Linux namespaces and nft");

    /** As it is typed after {@code --}. */
    public static final String SWITCH = OPTION.name() + " isolated";

    /** The environment variable of a process that was started inside: the cluster's directory, or {@value #NEW} while it has none. */
    public static final String VARIABLE = "YCSB_DRILL_NETWORK";

    private static final String NEW = "new";
    private static final String KEEPER = "keeper";
    private static final String SUBNET = "10.99.0.";
    private static final int KEEPER_HOST = 254;
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final List<String> PROGRAMS = List.of("unshare", "nsenter", "setpriv", "ip", "nft", "tail");
    private static final Pattern DROPPED = Pattern.compile(
            "(?:iifname \"(n\\d+)\" )?(?:oifname \"(n\\d+)\" )?ether type ip counter packets (\\d+) bytes \\d+ drop");
    /** What a privileged process has: CAP_NET_ADMIN and CAP_SYS_ADMIN. */
    private static final long PRIVILEGES = 1L << 12 | 1L << 21;

    private final Path folder;
    private final List<String> nodes;
    private final Consumer<String> beforeMending;

    private IsolatedNetwork(Path folder, List<String> nodes, Consumer<String> beforeMending) {
        this.folder = folder;
        this.nodes = nodes;
        this.beforeMending = beforeMending;
    }

    /** The same, with something that is done to a node whose links are cut before they are mended. */
    public IsolatedNetwork beforeMending(Consumer<String> node) {
        return new IsolatedNetwork(folder, nodes, node);
    }

    /** Whether the option asks for it; what is wrong with its value is reported through the reader. */
    public static boolean wanted(OptionReader reader) {
        String value = reader.text(OPTION.name());
        if (!value.matches("host|isolated")) {
            reader.problem("--" + OPTION.name() + " " + value + ": expected host or isolated");
        }
        return value.equals("isolated");
    }

    /** That of a cluster which was started with it; empty when the cluster was not. */
    public static Optional<IsolatedNetwork> of(Path cluster) {
        Path folder = cluster.resolve("network");
        try {
            return Files.exists(nodes(folder))
                    ? Optional.of(new IsolatedNetwork(folder, Files.readAllLines(nodes(folder)), node -> {}))
                    : Optional.empty();
        } catch (IOException e) {
            throw new NodeControlException("the network of " + cluster + " is not known: " + e.getMessage(), e);
        }
    }

    private static Path nodes(Path folder) {
        return folder.resolve("nodes");
    }

    // --- Inside and outside
    // -----------------------------------------------------------------------------------------------

    /**
     * To be called before a cluster with an isolated network is started.
     *
     * @throws OutsideNetworkException unless this process is in a network of its own
     * @throws NodeControlException when there can be none on this machine
     */
    public static void requireNew() {
        if (NEW.equals(System.getenv(VARIABLE))) {
            return;
        }
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            throw new NodeControlException("--" + SWITCH + " needs " + String.join(", ", missing)
                    + ", not found on this machine; install your distribution's packages util-linux, iproute2 and nftables,"
                    + " or leave the option out");
        }
        throw new OutsideNetworkException(
                "--" + SWITCH + " needs a process that is in a network of its own, which bin/ycsb provides",
                fresh(),
                NEW);
    }

    /**
     * To be called before a cluster is attached to; does nothing when it has no network of its own, or its keeper has gone.
     *
     * @throws OutsideNetworkException when this process is not in the cluster's network
     */
    public static void requireInside(Path cluster) {
        of(cluster).ifPresent(network -> network.keeper(KEEPER).ifPresent(keeper -> {
            if (!namespace("self", "net").equals(namespace(Long.toString(keeper), "net"))) {
                throw new OutsideNetworkException(
                        "the cluster in " + cluster + " has a network of its own, and this process is not in it",
                        entry(keeper),
                        cluster.toString());
            }
        }));
    }

    private static List<String> fresh() {
        List<String> command = new ArrayList<>(List.of(required("unshare")));
        if (!privileged()) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--net", "--"));
        command.addAll(endingWithItsStarter());
        return command;
    }

    private static List<String> entry(long keeper) {
        String pid = Long.toString(keeper);
        List<String> command = new ArrayList<>(List.of(required("nsenter"), "--target", pid));
        if (!namespace("self", "user").equals(namespace(pid, "user"))) {
            command.addAll(List.of("--user", "--preserve-credentials"));
        }
        command.addAll(List.of("--net", "--"));
        command.addAll(endingWithItsStarter());
        return command;
    }

    /** After namespaces are entered, which would take it back. */
    private static List<String> endingWithItsStarter() {
        return List.of(required("setpriv"), "--pdeathsig", "KILL", "--");
    }

    private static boolean privileged() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(own -> (own & PRIVILEGES) == PRIVILEGES);
        } catch (IOException e) {
            return false;
        }
    }

    private static String namespace(String process, String kind) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", process, "ns", kind)).toString();
        } catch (IOException e) {
            throw new NodeControlException(
                    "the " + kind + " namespace of process " + process + " is not known: " + e.getMessage(), e);
        }
    }

    private static List<String> missing() {
        return PROGRAMS.stream()
                .filter(name -> Launcher.program(name).isEmpty())
                .toList();
    }

    private static String required(String program) {
        return Launcher.program(program)
                .orElseThrow(() -> new NodeControlException(
                        program + " is not found on this machine, which --" + SWITCH + " needs"));
    }

    /** Whether this machine allows such a network: everything that it consists of is tried, in a namespace that is gone afterwards. */
    public static Finding diagnose() {
        String feature = "--" + SWITCH + " (partitions between data nodes)";
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            return Finding.note(feature + " is not possible: " + String.join(", ", missing)
                    + " not found; install your distribution's packages util-linux, iproute2 and nftables");
        }
        List<String> command = fresh();
        command.addAll(List.of("sh", "-ec", """
                ip link add name ycsb0 type bridge
                ip link add name n1 type veth peer name eth0
                echo 'table bridge t {
                chain c { type filter hook forward priority 0;
                ether type ip counter drop
                }
                }' | nft -f -
                """));
        try {
            ProgramOutput output = ProgramOutput.of(command);
            return output.exit() == 0
                    ? Finding.ok(feature + " is possible")
                    : Finding.note(feature + " is not possible: " + output.firstLine()
                            + "; a user who is not root needs user namespaces (sysctl user.max_user_namespaces,"
                            + " kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), and the kernel"
                            + " veth, bridge and nf_tables for bridges");
        } catch (IOException e) {
            return Finding.note(feature + " is not possible: " + e.getMessage());
        }
    }

    // --- The network of a cluster
    // -----------------------------------------------------------------------------------------

    /**
     * Makes the network, before the first node is started.
     *
     * @param cluster the cluster's directory, which is there
     * @param nodes the data nodes, spare ones included, in their order
     * @param lifetime whether it ends with this process
     * @throws OutsideNetworkException unless this process is in a network of its own
     * @throws NodeControlException when it cannot be made; nothing of it is left then
     */
    public static void create(Path cluster, List<String> nodes, Lifetime lifetime) {
        requireNew();
        IsolatedNetwork network = new IsolatedNetwork(cluster.resolve("network"), List.copyOf(nodes), node -> {});
        try {
            Files.createDirectories(network.folder);
            network.keep(KEEPER, lifetime, List.of());
            for (String node : nodes) {
                network.keep(node, lifetime, List.of(required("unshare"), "--net", "--"));
            }
            NodeLocks.await(
                    BOUND,
                    network::kept,
                    () -> "the nodes' network namespaces were not made within " + BOUND.toSeconds() + " s; see "
                            + network.output());
            run(List.of("sh", "-ec", network.script()));
            Files.write(nodes(network.folder), nodes);
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
        command.add(required("tail"));
        if (lifetime == Lifetime.OWNED) {
            command.add("--pid=" + ProcessHandle.current().pid());
        }
        command.addAll(List.of("-f", held.toString()));
        Launcher.start(command, folder, output(), pidFile(name), environment -> {});
    }

    private Path output() {
        return folder.resolve("output");
    }

    private Path pidFile(String name) {
        return folder.resolve(name + ".pid");
    }

    private Optional<Long> keeper(String name) {
        return OsProcess.recorded(pidFile(name), folder.resolve(name + ".held").toString())
                .map(OsProcess::pid);
    }

    private boolean kept() {
        String own = namespace("self", "net");
        return keeper(KEEPER).isPresent()
                && nodes.stream().allMatch(node -> keeper(node)
                        .filter(pid -> !namespace(Long.toString(pid), "net").equals(own))
                        .isPresent());
    }

    /** An earlier attempt of this process may have left a bridge. */
    private String script() {
        StringBuilder script = new StringBuilder("""
                ip link set lo up
                ip link del dev ycsb0 2>/dev/null || true
                ip link add name ycsb0 type bridge
                ip addr add %s/24 dev ycsb0
                ip link set dev ycsb0 up
                """.formatted(SUBNET + KEEPER_HOST));
        for (String node : nodes) {
            long pid = keeper(node).orElseThrow();
            script.append("""
                    ip link add name %1$s type veth peer name eth0 netns %2$d
                    ip link set dev %1$s master ycsb0 up
                    nsenter --target %2$d --net -- sh -ec '
                      ip link set lo up
                      ip addr add %3$s/24 dev eth0
                      ip link set eth0 up'
                    """.formatted(port(node), pid, address(node)));
        }
        return script.toString();
    }

    private int number(String node) {
        int number = nodes.indexOf(node) + 1;
        if (number == 0) {
            throw new NodeControlException("there is no node " + node + "; the nodes are " + String.join(", ", nodes));
        }
        return number;
    }

    /** The bridge's port to the node. */
    private String port(String node) {
        return "n" + number(node);
    }

    /** The node's address, which the others and clients reach. */
    public String address(String node) {
        return SUBNET + number(node);
    }

    /** The address of everything that is not a data node. */
    public String clientAddress() {
        return SUBNET + KEEPER_HOST;
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
     * The beginning of the command line by which a data node is started; empty when the cluster has no network of its own.
     *
     * @throws NodeControlException when the node's network is gone
     */
    public static List<String> into(Path cluster, String node) {
        return of(cluster)
                .map(network -> List.of(
                        required("nsenter"),
                        "--net=/proc/"
                                + network.keeper(node)
                                        .orElseThrow(() -> new NodeControlException("the network of " + node
                                                + " is gone: its keeper in " + network.folder
                                                + " has ended; take the cluster down and start it again"))
                                + "/ns/net",
                        "--"))
                .orElse(List.of());
    }

    /** Ends the keepers of a cluster's network, after its nodes; nothing happens when there is none. An interrupt does not cut it short. */
    public static void end(Path cluster) {
        new IsolatedNetwork(cluster.resolve("network"), List.of(), node -> {}).end();
    }

    private void end() {
        List<OsProcess> keepers = OsProcess.allRecorded(folder, folder + "/");
        keepers.forEach(OsProcess::kill);
        keepers.forEach(keeper -> keeper.awaitEnd(BOUND.toMillis()));
    }

    // --- Cuts
    // -------------------------------------------------------------------------------------------------------------

    @Override
    public void cut(String node, LinkCut cut) {
        StringBuilder forward = new StringBuilder();
        cut.to().stream().sorted().forEach(other -> forward.append(drop(node, other)));
        cut.from().stream().sorted().forEach(other -> forward.append(drop(other, node)));
        // What the bridge passes to and from its own host.
        String input = cut.toClients() ? drop("iifname \"" + port(node) + "\"") : "";
        String output = cut.fromClients() ? drop("oifname \"" + port(node) + "\"") : "";
        note(node, cut);
        nft(emptied(node) + """
                table bridge %s {
                chain forward { type filter hook forward priority 0;
                %s}
                chain input { type filter hook input priority 0;
                %s}
                chain output { type filter hook output priority 0;
                %s}
                }
                """.formatted(table(node), forward, input, output));
    }

    private String drop(String sender, String receiver) {
        return drop("iifname \"" + port(sender) + "\" oifname \"" + port(receiver) + "\"");
    }

    /** Addresses are still resolved, as a failure of that would be reported to the sender. */
    private static String drop(String link) {
        return link + " ether type ip counter drop\n";
    }

    private Set<String> ports(Set<String> some) {
        return some.stream().map(this::port).collect(Collectors.toSet());
    }

    private String table(String node) {
        return "ycsb_" + number(node);
    }

    /** Removes the node's table, whether it is there or not, in one step with what follows. */
    private String emptied(String node) {
        return "table bridge " + table(node) + "\ndelete table bridge " + table(node) + "\n";
    }

    @Override
    public Sight look(String node, LinkCut cut) {
        if (!cut(node)) {
            return new Sight(false, "no link of " + node + " is cut");
        }
        long out = 0;
        long in = 0;
        // A packet is counted by the first rule that drops it, which may be one of the other end's.
        for (Matcher rule = DROPPED.matcher(run(List.of(required("nft"), "list", "ruleset"))); rule.find(); ) {
            String from = rule.group(1);
            String to = rule.group(2);
            boolean sent = port(node).equals(from)
                    && (to == null ? cut.toClients() : ports(cut.to()).contains(to));
            boolean received = port(node).equals(to)
                    && (from == null ? cut.fromClients() : ports(cut.from()).contains(from));
            out += sent ? Long.parseLong(rule.group(3)) : 0;
            in += received ? Long.parseLong(rule.group(3)) : 0;
        }
        String lost = Stream.of(
                        cut.outgoing() ? out + " packets of " + node : "",
                        cut.incoming() ? in + " packets to " + node : "")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
        return new Sight(
                (out > 0 || !cut.outgoing()) && (in > 0 || !cut.incoming()),
                lost + " were lost, cut off " + cut.text());
    }

    private boolean cut(String node) {
        return run(List.of(required("nft"), "list", "tables")).lines().anyMatch(line -> line.strip()
                .endsWith(" " + table(node)));
    }

    @Override
    public void mend(String node) {
        if (cut(node)) {
            beforeMending.accept(node);
            nft(emptied(node));
        }
        try {
            Files.deleteIfExists(noted(node));
        } catch (IOException e) {
            throw new NodeControlException(
                    "the links of " + node + " are mended, but " + noted(node) + " cannot be removed: "
                            + e.getMessage(),
                    e);
        }
    }

    private Path noted(String node) {
        return folder.resolve(node + ".cut");
    }

    /** For {@link #aside}: each line two nodes between which something is lost. */
    private void note(String node, LinkCut cut) {
        String pairs = Stream.concat(cut.to().stream(), cut.from().stream())
                .distinct()
                .map(other -> node + " " + other + "\n")
                .collect(Collectors.joining());
        try {
            AtomicFile.write(noted(node), pairs);
        } catch (IOException e) {
            throw new NodeControlException("links cannot be cut: " + e.getMessage(), e);
        }
    }

    /** {@link #aside(String, List)} of a cluster's node; false when the cluster has no network of its own. */
    public static boolean aside(Path cluster, String node, List<String> members) {
        return of(cluster).map(network -> network.aside(node, members)).orElse(false);
    }

    /**
     * Whether the node is now on the smaller side of a partition: what it says of the others is not what the cluster says. Of sides of
     * the same size, the one with the first node is not the smaller. False while all nodes are connected, be it by others.
     *
     * @param members those that belong to the cluster, in their order: a spare node, whose links nobody cuts, connects nothing
     */
    public boolean aside(String node, List<String> members) {
        Set<String> cut = new HashSet<>();
        for (String each : nodes) {
            try {
                if (Files.exists(noted(each))) {
                    cut.addAll(Files.readAllLines(noted(each)));
                }
            } catch (IOException e) {
                cut.removeIf(pair -> pair.startsWith(each + " ")); // mended meanwhile
            }
        }
        if (cut.isEmpty()) {
            return false;
        }
        List<Set<String>> sides = new ArrayList<>();
        for (String each : members) {
            if (sides.stream().noneMatch(side -> side.contains(each))) {
                sides.add(side(each, members, cut));
            }
        }
        int largest = sides.stream().mapToInt(Set::size).max().orElse(0);
        Set<String> main = sides.stream()
                .filter(side -> side.size() == largest)
                .findFirst()
                .orElseThrow();
        return !main.contains(node);
    }

    /** Whoever the node reaches and is reached by, be it through others. */
    private static Set<String> side(String node, List<String> members, Set<String> cut) {
        Set<String> side = new LinkedHashSet<>(List.of(node));
        for (List<String> open = new ArrayList<>(side); !open.isEmpty(); ) {
            String from = open.remove(0);
            members.stream()
                    .filter(to -> !cut.contains(from + " " + to) && !cut.contains(to + " " + from))
                    .filter(side::add)
                    .forEach(open::add);
        }
        return side;
    }

    @Override
    public boolean mendAll() {
        boolean any = nodes.stream().anyMatch(this::cut);
        nodes.forEach(this::mend);
        return any;
    }

    private void nft(String rules) {
        Path file = folder.resolve("rules-" + Thread.currentThread().getId());
        try {
            Files.writeString(file, rules);
            run(List.of(required("nft"), "-f", file.toString()));
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new NodeControlException("links cannot be cut or mended: " + e.getMessage(), e);
        }
    }

    private static String run(List<String> command) {
        ProgramOutput output = output(command);
        if (output.exit() != 0) {
            throw new NodeControlException(
                    "the cluster's isolated network: " + command.get(0) + " ended with exit status " + output.exit()
                            + ": " + output.text().strip() + "; see what ycsb doctor says about --" + SWITCH);
        }
        return output.text();
    }

    private static ProgramOutput output(List<String> command) {
        try {
            return ProgramOutput.of(command, BOUND);
        } catch (IOException e) {
            throw new NodeControlException(
                    "the cluster's isolated network: " + command.get(0) + " cannot be run: " + e.getMessage(), e);
        }
    }
}
