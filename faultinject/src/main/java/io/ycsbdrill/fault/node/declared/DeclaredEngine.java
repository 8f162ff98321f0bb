package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineRecipe;
import io.ycsbdrill.fault.node.os.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An engine that a file describes, on this machine or on the hosts of an inventory: see {@code docs/new-engine.md}. The file is program
 * text of the user's: its commands run as this user. Immutable and thread-safe.
 */
public final class DeclaredEngine implements EngineRecipe<Integer, DeclaredCluster>, HostedEngine {
    static final int ORDER = 90;
    private static final String COUNT = "data-nodes";

    private final EngineFile file;
    /** That of the file; of a cluster that is up, where it was. */
    private final Path folder;

    private DeclaredEngine(EngineFile file, Path folder) {
        this.file = file;
        this.folder = folder;
    }

    /** Whether a word that names an engine means a file: {@code ./mine.yaml}. */
    public static boolean isFile(String word) {
        return word.contains("/") || word.endsWith(".yaml") || word.endsWith(".yml");
    }

    /**
     * The engine of a user's file.
     *
     * @param others engines whose names are taken
     * @throws IllegalArgumentException with everything that is wrong in it, one problem a line
     */
    public static DeclaredEngine read(Path path, List<Engine> others) {
        EngineFile file = EngineFile.read(path);
        if (others.stream()
                .anyMatch(each -> !(each instanceof DeclaredEngine || each instanceof UnreadableEngine)
                        && each.name().equals(file.engine()))) {
            throw new IllegalArgumentException(path + ": engine: \"" + file.engine()
                    + "\" is the name of an engine of this build; choose another one");
        }
        return new DeclaredEngine(file, path.toAbsolutePath().normalize().getParent());
    }

    /** The engines of the clusters that were started by a file, and are not down. */
    public static List<Engine> recorded(ClusterDirectory clusters, List<Engine> installed) {
        List<Engine> engines = new ArrayList<>();
        List<String> names;
        try {
            names = clusters.names();
        } catch (NodeControlException e) {
            return engines; // commands on clusters say so
        }
        for (String name : names) {
            Path copy = new DeclaredFiles(clusters.directory(name)).engine();
            if (installed.stream().noneMatch(each -> each.name().equals(name))
                    && Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
                try {
                    engines.add(new DeclaredEngine(copy(copy, name), copy.getParent()));
                } catch (NodeControlException e) {
                    engines.add(new UnreadableEngine(name, e.getMessage()));
                }
            }
        }
        return engines;
    }

    /** What a cluster was made by: the user's own file may be another one by now. */
    private static EngineFile copy(Path copy, String name) {
        try {
            InputFile.requireOwn(copy);
            EngineFile file = EngineFile.read(copy);
            if (!file.engine().equals(name)) {
                throw new IllegalArgumentException(copy + ": engine: \"" + file.engine() + "\"; expected " + name);
            }
            return file;
        } catch (IOException | IllegalArgumentException e) {
            throw new NodeControlException(
                    "the copy of the file by which the cluster of engine " + name + " was made cannot be used: "
                            + e.getMessage() + "; take the cluster down: ycsb cluster down " + name,
                    e);
        }
    }

    @Override
    public String name() {
        return file.engine();
    }

    @Override
    public String title() {
        return file.title();
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public List<String> bindings() {
        return file.bindings().keySet().stream().sorted().toList();
    }

    /**
     * Names of the programs that are not there.
     *
     * @param environment as of {@link System#getenv()}
     */
    public List<String> missing(Map<String, String> environment) {
        return Programs.of(file, environment).missing();
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        List<String> missing = missing(context.environment());
        return List.of(
                missing.isEmpty()
                        ? Finding.ok(title() + ": the programs " + String.join(", ", file.programs()) + " are there")
                        : Finding.note(title() + ": no program " + String.join(", ", missing) + " (" + file.variable()
                                + ", PATH)"));
    }

    @Override
    public List<Option> ownOptions() {
        return List.of(new Option(
                COUNT, Integer.toString(file.nodes().count()), "number of data nodes, 1 to " + EngineFileReader.MOST));
    }

    @Override
    public Integer read(OptionReader reader, CommonOptions common) {
        return reader.number(COUNT, 1, EngineFileReader.MOST);
    }

    @Override
    public int nodes(Integer options) {
        return options;
    }

    @Override
    public boolean grows() {
        return false;
    }

    @Override
    public List<String> helpers() {
        return file.helperIds();
    }

    @Override
    public List<Path> require(Integer options) {
        if (file.source().contains("{folder}")) {
            Directories.requirePlain(folder, Places.ADVICE);
        }
        Programs.of(file, System.getenv()).require();
        return List.of();
    }

    @Override
    public int portsPerNode() {
        return file.nodes().ports().size();
    }

    @Override
    public int sharedPorts(Integer options) {
        return file.helpers().map(group -> group.count() * group.ports().size()).orElse(0);
    }

    private Places places(ClusterPlan<Integer> plan) {
        return Places.here(file, new DeclaredFiles(plan.directory()), folder, plan.nodes(), plan.ports());
    }

    @Override
    public void write(ClusterPlan<Integer> plan) throws IOException {
        Places places = places(plan);
        DeclaredFiles files = new DeclaredFiles(plan.directory());
        AtomicFile.writePrivate(files.engine(), file.source().getBytes(StandardCharsets.UTF_8));
        for (String id :
                Stream.concat(plan.nodes().stream(), helpers().stream()).toList()) {
            PrivateFolders.forOwner(files.home(id));
            for (Map.Entry<String, String> each : file.group(id).files().entrySet()) {
                AtomicFile.writePrivate(
                        files.home(id).resolve(each.getKey()),
                        places.fill(each.getValue(), id).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public String version(ClusterPlan<Integer> plan) {
        return Programs.of(file, System.getenv()).version();
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<Integer> plan) {
        return file.bindings(places(plan));
    }

    @Override
    public Map<String, String> state(ClusterPlan<Integer> plan) {
        return Map.of(
                "folder",
                folder.toString(),
                "path",
                Programs.of(file, System.getenv()).path(),
                "nodes",
                String.join(",", plan.nodes()),
                "ports",
                plan.ports().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    @Override
    public DeclaredCluster open(ClusterDescriptor descriptor) {
        DeclaredFiles files = new DeclaredFiles(descriptor.directory());
        if (!Files.isRegularFile(files.engine())) {
            throw new NodeControlException("no " + title() + " cluster is left in " + descriptor.directory());
        }
        Map<String, String> state = descriptor.requireState("folder", "path", "nodes", "ports");
        EngineFile own = copy(files.engine(), name());
        return new DeclaredCluster(
                descriptor,
                files,
                Places.here(
                        own,
                        files,
                        Path.of(state.get("folder")),
                        List.of(state.get("nodes").split(",")),
                        Stream.of(state.get("ports").split(","))
                                .map(Integer::valueOf)
                                .toList()),
                Programs.in(own, state.get("path")));
    }

    // --- On other hosts

    @Override
    public EngineDefaults defaults() {
        return HostedSite.defaults(file);
    }

    /** The properties that are the ports of servers on other hosts. */
    public List<String> portProperties() {
        return Stream.concat(
                        file.nodes().ports().stream(), file.helpers().stream().flatMap(of -> of.ports().stream()))
                .map(port -> name() + "." + Places.PORT + port)
                .toList();
    }

    /** Processes and probes say who is up, whoever is paused. */
    @Override
    public boolean pausesNodes() {
        return true;
    }

    @Override
    public Optional<String> withoutPrimary() {
        return file.nodes().probe().primary().isPresent()
                ? Optional.empty()
                : Optional.of(HostedDeclared.unknownPrimary(name()));
    }

    @Override
    public Map<String, String> reaching(String binding, Inventory inventory, Properties properties) {
        Places places = HostedSite.places(file, folder, inventory, properties);
        Map<String, String> filled = new HashMap<>();
        places.nodes().stream().findFirst().ifPresent(first -> file.bindings()
                .getOrDefault(binding, Map.of())
                .forEach((key, template) -> filled.put(key, places.fill(template, first))));
        return filled;
    }

    @Override
    public RemoteCluster cluster(Inventory inventory, EngineContext context) {
        Programs programs = Programs.of(file, context.environment());
        Probe probe = file.nodes().probe();
        HostedSite.check(file, programs);
        List<HostedNode> nodes = inventory.nodes(HostedNode.Role.DATA);
        Places places = HostedSite.places(file, folder, inventory, context.properties());
        nodes.forEach(node -> Stream.concat(probe.question().stream(), Stream.of(probe.send()))
                .forEach(template -> places.fill(template, node.id())));
        String port = "{" + Places.PORT + file.nodes().ports().get(0) + "}";
        String hosts = nodes.stream()
                .map(node -> node.host().address() + ":" + places.fill(port, node.id()))
                .collect(Collectors.joining(","));
        return new RemoteCluster(
                name(),
                hosts,
                title() + " on " + hosts,
                Map.of(),
                () -> HostedCluster.connect(
                        inventory, pausesNodes(), () -> HostedDeclared.connect(inventory, places, programs)));
    }

    @Override
    public void bringUp(ClusterPlan<Integer> plan, DeclaredCluster cluster) throws IOException {
        if (!plan.common().sandbox().isolated()) {
            plan.progress()
                    .accept(
                            "every account of this machine can reach the servers on 127.0.0.1, and change their data unless"
                                    + " they ask for a password; where there are others, start it with --network isolated");
        }
        cluster.bringUp(plan.progress());
    }
}
