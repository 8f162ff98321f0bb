package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The data nodes of an engine that a file describes, on the hosts of an inventory: watched by their processes and the file's probe, and
 * not touched. Thread-safe.
 */
final class HostedDeclared implements NodeController {
    private static final String MARK = "ycsb-drill-version";
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final EngineFile file;
    private final List<HostedNode> hosted;
    private final Map<String, HostedView> views;
    private final DeclaredWatch watch;
    private final String version;

    private HostedDeclared(
            EngineFile file, List<HostedNode> hosted, Map<String, HostedView> views, DeclaredWatch watch) {
        this.file = file;
        this.hosted = hosted;
        this.views = views;
        this.watch = watch;
        this.version = version();
    }

    /**
     * Looks at each node; those whose host does not answer within seconds are unknown for now.
     *
     * @throws NodeControlException when a data directory is not there, without which no process is proven to be a node's
     */
    static HostedDeclared connect(Inventory inventory, Places places, Programs programs) {
        List<HostedNode> hosted = inventory.nodes(Role.DATA);
        requireDirectories(hosted);
        Map<String, HostedView> views = new LinkedHashMap<>();
        hosted.forEach(node -> views.put(node.id(), new HostedView(inventory, node)));
        Map<String, Supplier<ProcessSight>> sights = new LinkedHashMap<>();
        views.forEach((id, view) -> sights.put(id, view::sight));
        DeclaredWatch watch = new DeclaredWatch(places, sights, programs);
        try {
            views.values().forEach(HostedView::begin);
            watch.start();
            return new HostedDeclared(places.file(), hosted, views, watch);
        } catch (RuntimeException e) {
            watch.close();
            views.values().forEach(HostedView::close);
            throw e;
        }
    }

    private static void requireDirectories(List<HostedNode> nodes) {
        Map<HostedNode, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        nodes.forEach(node -> asked.put(node, AtOnce.ask(() -> isWithoutDirectory(node))));
        asked.forEach((node, without) -> {
            if (without.join()) {
                throw new NodeControlException("node " + node.id() + ": there is no directory " + node.dataDirectory()
                        + " on " + node.host() + ", by which its process is known from others: give its data_directory,"
                        + " or make it");
            }
        });
    }

    private static boolean isWithoutDirectory(HostedNode node) {
        // Nothing is known
        return Io.or(
                false,
                () -> node.host()
                                .call(List.of("test", "-d", node.dataDirectory()))
                                .run(BOUND)
                                .exit()
                        == 1);
    }

    /** On the host of a node that has a process. What a command says that fails is no version. */
    private String version() {
        Optional<HostedNode> asked = hosted.stream()
                .filter(node -> watch.ask(h -> h.running(node.id())))
                .findFirst()
                .filter(node -> !file.version().isEmpty());
        return Io.or(
                "unknown",
                () -> asked.isEmpty() ? "unknown" : version(asked.get().host(), file.version()));
    }

    /** What comes before, such as the banner of a login, is none either. */
    static String version(Host host, List<String> command) throws IOException {
        List<String> script = Stream.concat(
                        Stream.of("sh", "-c", "echo " + MARK + "; \"$@\" 2>&1", "sh"), command.stream())
                .toList();
        return version(host.call(script).run(BOUND));
    }

    static String version(ProgramOutput output) {
        int begin = output.text().indexOf(MARK);
        return output.exit() == 0 && begin >= 0
                ? Programs.version(output.text().substring(begin + MARK.length()))
                : "unknown";
    }

    @Override
    public String engine() {
        return file.engine();
    }

    @Override
    public String engineVersion() {
        return version;
    }

    @Override
    public List<NodeInfo> nodes() {
        return hosted.stream().map(HostedNode::info).toList();
    }

    @Override
    public List<NodeStatus> status() {
        return nodes().stream()
                .map(node -> watch.ask(history -> status(node.id(), history)))
                .toList();
    }

    private NodeStatus status(String id, DeclaredHistory history) {
        State state = !watch.knows(id)
                ? State.UNKNOWN
                : !history.running(id) ? State.DOWN : history.recovered(id) ? State.STARTED : State.STARTING;
        String detail = state == State.UNKNOWN
                ? "its host does not say whether it has a process"
                : state == State.DOWN ? "no process on its host" : history.detail(id);
        return new NodeStatus(id, state, detail, OptionalLong.empty());
    }

    @Override
    public Optional<String> primary() {
        return watch.ask(history -> history.primaryAt(System.nanoTime()));
    }

    @Override
    public String noPrimary() {
        return file.nodes().probe().primary().isPresent()
                ? "not exactly one node of " + engine()
                        + " answers now as nodes.probe.primary of its file says; use random or a node's id"
                : unknownPrimary(engine());
    }

    /** Why nobody is primary where the probe of the file does not say who is. */
    static String unknownPrimary(String engine) {
        return "who is primary of " + engine
                + " is not known on other hosts: add primary to nodes.probe of its file, a regular expression for the"
                + " primary's answer; or use random or a node's id";
    }

    /** None: its hosts' commands do all. */
    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return watch.listen(listener);
    }

    @Override
    public void close() {
        watch.close();
        views.values().forEach(HostedView::close);
    }
}
