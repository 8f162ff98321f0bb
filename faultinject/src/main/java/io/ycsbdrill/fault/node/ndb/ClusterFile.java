package io.ycsbdrill.fault.node.ndb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.inventory.NodeAction;
import io.ycsbdrill.fault.inventory.NodeCommands;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the management server cannot do for a cluster on other hosts: the user's own commands. A list is a program with its
 * arguments, a text a line for the shell. Immutable.
 *
 * @param connectString management servers; empty when the file does not say
 * @param hosts host by node id, where the management server's address is not the one to use
 * @param commands what there is for each action
 * @param timeout longest time for a command, and for its effect to be seen
 */
public record ClusterFile(
        Optional<String> connectString,
        Map<String, String> hosts,
        Map<NodeAction, UserCommand> commands,
        Duration timeout)
        implements NodeCommands {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    /** What ends up in a command line: nothing that a shell would read in another way. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");

    public ClusterFile {
        hosts = Map.copyOf(hosts);
        commands = Map.copyOf(commands);
    }

    /** No commands and no hosts: the management server alone. */
    public static ClusterFile none() {
        return new ClusterFile(Optional.empty(), Map.of(), Map.of(), DEFAULT_TIMEOUT);
    }

    /** Those that the management server cannot do by itself, by their names in the file. */
    private static final Map<String, NodeAction> ACTIONS = new LinkedHashMap<>();

    static {
        for (NodeAction action : List.of(
                NodeAction.KILL,
                NodeAction.START,
                NodeAction.INITIALISE,
                NodeAction.PAUSE,
                NodeAction.RESUME,
                NodeAction.PAUSED)) {
            // As ndbmtd calls it.
            ACTIONS.put(action == NodeAction.INITIALISE ? "initial" : action.word(), action);
        }
    }

    /**
     * Reads a cluster file.
     *
     * @throws IllegalArgumentException naming the file and everything that is wrong in it
     */
    public static ClusterFile read(Path file) {
        JsonNode root;
        try {
            root = YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .build()
                    .readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cluster file " + file + ": " + e.getOriginalMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("cluster file " + file + " cannot be read: no such file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cluster file " + file + " cannot be read: " + e.getMessage(), e);
        }
        List<String> problems = new ArrayList<>();
        ClusterFile read = read(root, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("cluster file " + file + ": " + String.join("; ", problems));
        }
        return read;
    }

    private static ClusterFile read(JsonNode root, List<String> problems) {
        Optional<String> connectString = Optional.empty();
        Map<String, String> hosts = new TreeMap<>();
        Map<NodeAction, UserCommand> commands = new EnumMap<>(NodeAction.class);
        Duration timeout = DEFAULT_TIMEOUT;
        if (!root.isObject()) {
            problems.add("expected connectstring, hosts, commands and timeout at the top");
        }
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "connectstring" -> {
                    try {
                        connectString =
                                Optional.of(ConnectString.parse(value.asText()).toString());
                    } catch (IllegalArgumentException e) {
                        problems.add(e.getMessage());
                    }
                }
                case "hosts" ->
                    value.properties().forEach(h -> {
                        if (!h.getKey().matches("[1-9][0-9]*")
                                || !HOST.matcher(h.getValue().asText()).matches()) {
                            problems.add("hosts: \"" + h.getKey() + ": "
                                    + h.getValue().asText() + "\" is not a node id and a host name");
                        }
                        hosts.put(h.getKey(), h.getValue().asText());
                    });
                case "commands" -> value.properties().forEach(c -> command(c, commands, problems));
                case "timeout" -> timeout = time(value.asText(), problems);
                default ->
                    problems.add(
                            "unknown key " + field.getKey() + "; known are connectstring, hosts, commands, timeout");
            }
        }
        Set<NodeAction> pausing = EnumSet.of(NodeAction.PAUSE, NodeAction.RESUME, NodeAction.PAUSED);
        if (pausing.stream().map(commands::containsKey).distinct().count() > 1) {
            problems.add(
                    "commands: pause, resume and paused need each other; paused ends with 0 while the node is paused");
        }
        return new ClusterFile(connectString, hosts, commands, timeout);
    }

    private static void command(
            Map.Entry<String, JsonNode> entry, Map<NodeAction, UserCommand> commands, List<String> problems) {
        Optional<NodeAction> action = Optional.ofNullable(ACTIONS.get(entry.getKey()));
        UserCommand command;
        try {
            command = command(entry.getValue());
        } catch (IllegalArgumentException e) {
            problems.add("commands: " + entry.getKey() + ": " + e.getMessage());
            return;
        }
        if (action.isEmpty()) {
            problems.add("commands: unknown action " + entry.getKey() + "; known are "
                    + String.join(", ", ACTIONS.keySet()));
        } else if (command.isEmpty()) {
            problems.add("commands: " + entry.getKey() + " is empty");
        } else {
            commands.put(action.get(), command);
        }
    }

    private static UserCommand command(JsonNode value) {
        if (value.isArray()) {
            List<String> words = new ArrayList<>();
            value.forEach(word -> words.add(word.asText()));
            return UserCommand.of(words);
        }
        return value.asText().isBlank() ? UserCommand.NONE : UserCommand.line(value.asText());
    }

    private static Duration time(String text, List<String> problems) {
        try {
            return Durations.parse(text, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
        } catch (IllegalArgumentException e) {
            problems.add("timeout: " + e.getMessage());
            return DEFAULT_TIMEOUT;
        }
    }

    @Override
    public Optional<String> hostOf(String node) {
        return Optional.ofNullable(hosts.get(node));
    }

    @Override
    public boolean has(NodeAction action) {
        return commands.containsKey(action);
    }

    /** Every command is for this machine; what is to happen on another one it says itself. */
    @Override
    public List<HostCall> calls(NodeAction action, NodeInfo node) {
        UserCommand command = commands.get(action);
        command.problem(node).ifPresent(text -> {
            throw new IllegalArgumentException(text + "; name its host under hosts in the cluster file");
        });
        return List.of(new HostCall(command.words(node), Optional.empty()));
    }

    @Override
    public String where() {
        return "in the cluster file (docs/ndb.md)";
    }
}
