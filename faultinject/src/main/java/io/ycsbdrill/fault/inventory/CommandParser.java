package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.node.UserCommand;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the commands that a user gives for nodes, in place of those that the engine has. */
final class CommandParser {
    static Map<NodeAction, NodeCommand> commands(Section parent) {
        Map<NodeAction, NodeCommand> commands = new EnumMap<>(NodeAction.class);
        parent.section("commands").ifPresent(section -> {
            for (NodeAction action : NodeAction.values()) {
                section.node(action.word())
                        .flatMap(value -> command(section, action.word(), value))
                        .ifPresent(command -> commands.put(action, command));
            }
            section.rejectOthers();
            long pausing =
                    NodeAction.PAUSING.stream().filter(commands::containsKey).count();
            if (pausing > 0 && pausing < NodeAction.PAUSING.size()) {
                parent.problem(
                        "commands",
                        "pause, resume and paused need each other; paused ends with 0 while the node is paused");
            }
        });
        return commands;
    }

    private static Optional<NodeCommand> command(Section section, String name, Node value) {
        if (value instanceof MappingNode) {
            return section.section(name).flatMap(where -> {
                where.require("here", "a command for this machine");
                Optional<UserCommand> command = where.node("here").flatMap(v -> words(where, "here", v));
                where.rejectOthers();
                return command.map(words -> new NodeCommand(words, true));
            });
        }
        return words(section, name, value).map(words -> new NodeCommand(words, false));
    }

    private static Optional<UserCommand> words(Section section, String name, Node value) {
        if (value instanceof SequenceNode) {
            List<String> words = section.texts(name);
            return words.isEmpty() ? Optional.empty() : Optional.of(UserCommand.of(words));
        }
        try {
            return section.text(name, "a list of program and arguments, or a line for the shell")
                    .map(UserCommand::line);
        } catch (IllegalArgumentException e) {
            section.problem(name, e.getMessage());
            return Optional.empty();
        }
    }
}
