package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server of an inventory. Immutable.
 *
 * @param id unique in the inventory
 * @param role what it is for
 * @param host where it runs
 * @param pidFile where it writes its process id
 * @param programs names, one of which is that of its executable, script or main class
 * @param dataDirectory what is emptied to initialise it
 * @param dataMark what only a data directory of the engine has in it
 * @param start starts it
 * @param initialise starts it without its files; empty when the directory is emptied first
 * @param supervisor the program that keeps its server running; empty when there is none
 * @param commands of the user's, which replace all that
 * @param zone that it is in; empty when the user has not said
 * @param labels of the user's
 * @param log that the server writes; empty when the user has not said
 */
public record HostedNode(
        String id,
        Role role,
        Host host,
        String pidFile,
        List<String> programs,
        String dataDirectory,
        String dataMark,
        List<String> start,
        List<String> initialise,
        String supervisor,
        Map<NodeAction, NodeCommand> commands,
        Optional<String> zone,
        Map<String, String> labels,
        String log) {
    private static final String LAST_LINES = "5";

    /** The exit code of {@link #alive} when there is none. */
    static final int NO_PROCESS = 3;

    /** The place of the id or a property, in a text of the engine's. */
    static final Pattern PLACE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9._]*)}");

    /** What a server is for; each has a list of its own in an inventory. */
    public enum Role {
        /** Holds data. */
        DATA("data_nodes"),
        /** Clients reach the data through it. */
        SQL("sql_nodes"),
        /** Coordinates the others. */
        MANAGEMENT("management");

        private final String key;

        Role(String key) {
            this.key = key;
        }

        /** The list in an inventory. */
        public String key() {
            return key;
        }
    }

    public HostedNode {
        programs = List.copyOf(programs);
        start = List.copyOf(start);
        initialise = List.copyOf(initialise);
        commands = Map.copyOf(commands);
        labels = Map.copyOf(labels);
    }

    /** The name by which engines and drills know it. */
    public NodeInfo info() {
        return new NodeInfo(id, host.address(), 0);
    }

    boolean can(NodeAction action) {
        if (commands.containsKey(action) || action != NodeAction.INITIALISE) {
            return true;
        }
        // Of a container that is down, only its volumes can be reached.
        boolean emptied = !dataMark.isEmpty() && !(isInContainer() && dataDirectory.isEmpty());
        return byScript(action) && (emptied || !initialise.isEmpty() && !isInContainer());
    }

    /** Whether the script does it, which first looks for the process, and does nothing where there surely is none. */
    boolean byScript(NodeAction action) {
        return host.machine().isPresent() && !commands.containsKey(action);
    }

    /** Whether a kill is the deletion of a pod, which is the end that Kubernetes gives. */
    boolean killedByDeletion() {
        return !commands.containsKey(NodeAction.KILL)
                && !host.transport().own(host).isEmpty();
    }

    private boolean isInContainer() {
        return host.transport().engine().isPresent();
    }

    /**
     * What does it: the user's command, else the transport's own way for a pod, else the script on its host.
     *
     * @param bound for each call
     * @throws IllegalArgumentException when it needs a name that is none, or a property that is not known
     */
    List<HostCall> calls(NodeAction action, Duration bound) {
        NodeCommand own = commands.get(action);
        if (own != null) {
            return List.of(own.call(action, info(), host));
        }
        List<String> whole = host.transport().own(host).get(action.word());
        if (whole != null) {
            return List.of(new HostCall(whole, Optional.empty()));
        }
        return switch (action) {
            case PAUSED -> List.of(supervisor.isEmpty() ? script(action.word()) : withSupervisor(action.word(), ""));
            case PAUSE, RESUME -> List.of(withSupervisor(action.word(), ""));
            case KILL, STOP -> List.of(withSupervisor(action.word(), Long.toString(NodeScript.tenths(bound))));
            case START -> List.of(isInContainer() ? script(action.word()) : started(start));
            case INITIALISE ->
                initialise.isEmpty() || isInContainer()
                        ? Stream.concat(
                                        Stream.of(withSupervisor("wipe", dataMark)),
                                        calls(NodeAction.START, bound).stream())
                                .toList()
                        : List.of(started(initialise));
        };
    }

    private HostCall started(List<String> command) {
        Matcher place = PLACE.matcher(String.join(" ", command));
        if (place.find()) {
            String key = place.group(1);
            throw new IllegalArgumentException("node " + id + " cannot be started: " + String.join(" ", command)
                    + " needs the property " + key + "; add it to the inventory, properties: {" + key
                    + ": ...}, or give -p " + key + "=..., or start and initialise commands of your own");
        }
        return NodeScript.on(host, "start", command);
    }

    /**
     * Asks the host whether there is a process of it, {@link #NO_PROCESS} being no. Empty where that need not tell: of
     * a pod, or of a node that is killed by a command of the user's.
     */
    Optional<HostCall> alive() {
        return host.machine().isEmpty() || commands.containsKey(NodeAction.KILL)
                ? Optional.empty()
                : Optional.of(withSupervisor("alive", ""));
    }

    /**
     * The same, whoever kills it: of a node whose pid file and data directory its user has given.
     *
     * @param unused whether no other process may use its data directory either
     */
    Optional<HostCall> proof(boolean unused) {
        return host.machine().map(machine -> withSupervisor("alive", unused ? "unused" : ""));
    }

    /** Prints the end of the server's log; empty when nobody has said where that is. */
    Optional<HostCall> lastWords() {
        return log.isEmpty() ? Optional.empty() : Optional.of(host.call(List.of("tail", "-n", LAST_LINES, log)));
    }

    /** Finds out about it and changes nothing; see {@code node.sh}. */
    HostCall probe() {
        NodeCommand own = commands.get(NodeAction.START);
        String program = own == null
                ? start.isEmpty() || !host.transport().ofMachines() ? "" : start.get(0)
                : own.here() || own.command().shell()
                        ? ""
                        : own.command().words().get(0);
        String emptied = initialise.isEmpty() && !dataMark.isEmpty() ? dataDirectory : "";
        return script("probe", program, emptied, dataDirectory, supervisor);
    }

    /** What is done to the node's server, and to what keeps it running, where something does. */
    private HostCall withSupervisor(String verb, String argument) {
        if (!supervisor.isEmpty()) {
            return script(verb, dataDirectory, argument, supervisor);
        }
        return argument.isEmpty() ? script(verb, dataDirectory) : script(verb, dataDirectory, argument);
    }

    private HostCall script(String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of(pidFile, String.join("|", programs)));
        arguments.addAll(List.of(more));
        return NodeScript.onNode(host, verb, arguments);
    }
}
