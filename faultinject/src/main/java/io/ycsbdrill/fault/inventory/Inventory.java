package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The hosts of a cluster that somebody else runs, and of clients. Nothing is asked of a host when it is read. Immutable.
 *
 * @param engine of the cluster
 * @param properties what a binding and the engine need to reach the database
 * @param nodes all servers, those of a role in the order of the file
 * @param clients hosts for clients; may be empty
 * @param timeout the longest time for a command, and for its effect to be seen; a stop has its own least one
 * @param journalDirectory on each node's host in which open faults are recorded
 */
public record Inventory(
        HostedEngine engine,
        Map<String, String> properties,
        List<HostedNode> nodes,
        List<ClientHost> clients,
        Duration timeout,
        String journalDirectory)
        implements NodeCommands {
    /** The property that names the file. */
    public static final String PROPERTY = "inventory";

    /** A host that does not say within this time whether a node has a process says nothing. */
    private static final Duration ALIVE_BOUND = Duration.ofSeconds(5);

    public Inventory {
        properties = Map.copyOf(properties);
        nodes = List.copyOf(nodes);
        clients = List.copyOf(clients);
    }

    /**
     * Reads a file.
     *
     * @param engines that a cluster may be of
     * @param files reads the engine of a file by its name and the folder that this is relative to; empty for a word that is an engine's name
     * @param given properties that count before those of the file
     * @throws IllegalArgumentException naming everything that is wrong in it, each on a line
     */
    public static Inventory read(
            Path file, List<Engine> engines, BiFunction<String, Path, Optional<HostedEngine>> files, Properties given) {
        String text = Io.get(
                "inventory " + file + " cannot be read",
                IllegalArgumentException::new,
                () -> InputFile.text(file, InputFile.Kind.SETTINGS));
        return parse(file.toString(), text, engines, files, given);
    }

    /** As the other one, of an engine that has a name. */
    public static Inventory parse(String file, String text, List<Engine> engines, Properties given) {
        return parse(file, text, engines, (word, folder) -> Optional.empty(), given);
    }

    /**
     * Reads the text of a file.
     *
     * @param file its path, also for messages
     * @param files as of {@link #read}
     * @param given properties that count before those of the file
     * @throws IllegalArgumentException naming everything that is wrong in it, each on a line
     */
    public static Inventory parse(
            String file,
            String text,
            List<Engine> engines,
            BiFunction<String, Path, Optional<HostedEngine>> files,
            Properties given) {
        LineProblems problems = new LineProblems(file);
        Path folder = Path.of(file).toAbsolutePath().getParent();
        InventoryParser parser = new InventoryParser(
                problems, section -> EngineReader.engine(section, engines, word -> files.apply(word, folder)), given);
        Optional<Inventory> inventory = YamlReader.read(text, problems).flatMap(parser::parse);
        problems.throwIfAny(all -> new IllegalArgumentException(String.join("\n", all)));
        return inventory.orElseThrow();
    }

    /** Those of one role, in the order of the file. */
    public List<HostedNode> nodes(HostedNode.Role role) {
        return nodes.stream().filter(node -> node.role() == role).toList();
    }

    /** The zone of each data node that is in one, by its id. */
    Map<String, String> zones() {
        Map<String, String> zones = new LinkedHashMap<>();
        nodes(HostedNode.Role.DATA).forEach(node -> node.zone().ifPresent(zone -> zones.put(node.id(), zone)));
        return zones;
    }

    /** That server, if it is listed. */
    public Optional<HostedNode> node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
    }

    /** @throws NodeControlException when it is not listed */
    HostedNode required(String id) {
        return node(id).orElseThrow(() -> new NodeControlException("node " + id + " is not in the inventory"));
    }

    /** Those of the nodes of which their hosts say that there is no process. All hosts are asked at the same time. */
    Set<String> withoutProcess(Collection<String> ids) {
        Map<String, CompletableFuture<Boolean>> asked = new HashMap<>();
        ids.forEach(id -> asked.put(id, AtOnce.ask(() -> isGone(required(id)))));
        return ids.stream().filter(id -> asked.get(id).join()).collect(Collectors.toSet());
    }

    private static boolean isGone(HostedNode node) {
        return isNo(node.alive()).orElse(false);
    }

    /** Whether the host of a node says that there surely is no process of it, whoever kills it; empty when it does not answer. */
    public Optional<Boolean> isProvenDown(String id) {
        return isNo(required(id).proof(false));
    }

    /** Why the host of a node does not say that none of its processes runs and none at all uses its data directory; empty when it does. */
    public Optional<String> inUse(String id) {
        try {
            ProgramOutput said = required(id).proof(true).orElseThrow().run(ALIVE_BOUND);
            return said.exit() == HostedNode.NO_PROCESS
                    ? Optional.empty()
                    : Optional.of("exit code " + said.exit() + " "
                            + Secrets.inText(said.text().strip()));
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Boolean> isNo(Optional<HostCall> question) {
        return Io.or(
                Optional.empty(),
                () -> question.isEmpty()
                        ? Optional.empty()
                        : Optional.of(question.get().run(ALIVE_BOUND).exit())
                                .filter(code -> code != HostCall.NO_CONNECTION)
                                .map(code -> code == HostedNode.NO_PROCESS));
    }

    @Override
    public Optional<String> ended(String id) {
        HostedNode node = required(id);
        return isGone(node)
                ? Optional.of("there is no process of it on " + node.host() + "; " + lastWords(node))
                : Optional.empty();
    }

    private static String lastWords(HostedNode node) {
        Optional<HostCall> call = node.lastWords();
        if (call.isEmpty()) {
            return "give log: in the inventory to see the last lines of its log";
        }
        try {
            return "the last lines of " + node.log() + ": \""
                    + Secrets.inText(call.get().run(ALIVE_BOUND).text().strip()) + "\"";
        } catch (IOException e) {
            return node.log() + " cannot be read: " + Secrets.inText(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Optional<String> hostOf(String node) {
        return node(node).map(found -> found.host().address());
    }

    @Override
    public boolean has(NodeAction action) {
        return nodes(HostedNode.Role.DATA).stream().allMatch(node -> node.can(action));
    }

    @Override
    public boolean looksFirst(NodeAction action, String node) {
        return required(node).byScript(action);
    }

    @Override
    public List<HostCall> calls(NodeAction action, NodeInfo node) {
        return node(node.id())
                .orElseThrow(() -> new IllegalArgumentException("node " + node.id()
                        + " is not in the inventory; it has "
                        + String.join(", ", nodes.stream().map(HostedNode::id).toList()) + ": add it to data_nodes"))
                .calls(action, bound(action));
    }

    @Override
    public HealJournal journal() {
        return new HostJournal(this);
    }

    @Override
    public Map<Class<?>, Object> faultsOfHosts() {
        Map<Class<?>, Object> faults = new HashMap<>();
        if (HostedLinks.possible(this)) {
            faults.put(Partitionable.class, new HostedLinks(this));
        }
        if (HostedDisks.possible(this)) {
            faults.put(Impairable.class, new HostedDisks(this));
        }
        return faults;
    }

    @Override
    public String where() {
        return "in the inventory (docs/inventory.md)";
    }
}
