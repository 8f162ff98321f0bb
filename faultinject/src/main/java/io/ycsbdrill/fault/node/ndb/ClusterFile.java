package io.ycsbdrill.fault.node.ndb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ycsbdrill.base.Durations;
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
import java.util.List;
import java.util.Locale;
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
        Map<Action, UserCommand> commands,
        Duration timeout) {
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

    /** What a command can be given for, named in the file as here in lower case. */
    public enum Action {
        /** Ends the node's worker process without warning. */
        KILL,
        /** Starts the node with its files. */
        START,
        /** Starts the node without its files: {@code ndbmtd --initial}. */
        INITIAL,
        /** Pauses the node: SIGSTOP. */
        PAUSE,
        /** Resumes it: SIGCONT. */
        RESUME,
        /** Ends with 0 while the node is paused. */
        PAUSED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
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
        Map<Action, UserCommand> commands = new EnumMap<>(Action.class);
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
        Set<Action> pausing = EnumSet.of(Action.PAUSE, Action.RESUME, Action.PAUSED);
        if (pausing.stream().map(commands::containsKey).distinct().count() > 1) {
            problems.add(
                    "commands: pause, resume and paused need each other; paused ends with 0 while the node is paused");
        }
        return new ClusterFile(connectString, hosts, commands, timeout);
    }

    private static void command(
            Map.Entry<String, JsonNode> entry, Map<Action, UserCommand> commands, List<String> problems) {
        Optional<Action> action = List.of(Action.values()).stream()
                .filter(a -> a.word().equals(entry.getKey()))
                .findFirst();
        UserCommand command;
        try {
            command = command(entry.getValue());
        } catch (IllegalArgumentException e) {
            problems.add("commands: " + entry.getKey() + ": " + e.getMessage());
            return;
        }
        if (action.isEmpty()) {
            problems.add("commands: unknown action " + entry.getKey() + "; known are "
                    + String.join(
                            ", ",
                            List.of(Action.values()).stream().map(Action::word).toList()));
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

    /**
     * The command line of an action for one node.
     *
     * @throws IllegalArgumentException when it needs a host that is not known, or one that is no host name
     */
    List<String> commandFor(Action action, String node, String host) {
        NodeInfo target = new NodeInfo(node, host, 0);
        UserCommand command = commands.get(action);
        command.problem(target).ifPresent(text -> {
            throw new IllegalArgumentException(text + "; name its host under hosts in the cluster file");
        });
        return command.words(target);
    }
}
