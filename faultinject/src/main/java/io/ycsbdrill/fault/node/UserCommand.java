package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Secrets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command of the user's for a node: a program with its arguments, in which {@code {node}} and {@code {host}} are replaced by
 * the node's id and host, or a line for the shell, which finds them in its variables {@code NODE} and {@code HOST}. Its text
 * has no secrets. Immutable.
 *
 * @param words program and arguments; of a line for the shell the line alone. Empty: no command
 * @param shell whether it is a line for the shell
 */
public record UserCommand(List<String> words, boolean shell) {
    /** No command. */
    public static final UserCommand NONE = new UserCommand(List.of(), false);

    private static final String NODE = "{node}";
    private static final String HOST = "{host}";
    /** Nothing that a shell or a program would take for something else than a name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:][A-Za-z0-9._:-]*");

    public UserCommand {
        words = List.copyOf(words);
        if (shell && words.stream().anyMatch(line -> line.contains(NODE) || line.contains(HOST))) {
            throw new IllegalArgumentException(
                    "a line for the shell finds node and host in variables: write $NODE and $HOST instead of {node} and {host}");
        }
    }

    /** A program with its arguments. */
    public static UserCommand of(List<String> words) {
        return new UserCommand(words, false);
    }

    /**
     * A line for {@code /bin/sh -c}.
     *
     * @throws IllegalArgumentException when it contains {@code {node}} or {@code {host}}
     */
    public static UserCommand line(String line) {
        return new UserCommand(List.of(line), true);
    }

    public boolean isEmpty() {
        return words.isEmpty();
    }

    /** Why it must not be run for this node: it uses a name or host that is none; empty when it may be. */
    public Optional<String> problem(NodeInfo node) {
        return Stream.of(problem("node", node.id(), node.id()), problem("host", node.host(), node.id()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> problem(String what, String value, String node) {
        String used = shell ? what.toUpperCase(Locale.ROOT) : "{" + what + "}";
        if (words.stream().noneMatch(word -> word.contains(used))
                || NAME.matcher(value).matches()) {
            return Optional.empty();
        }
        return Optional.of("the command \"" + this + "\" needs the " + what + " of node " + node + ", which "
                + (value.isEmpty()
                        ? "is not known"
                        : "is \"" + value + "\"; letters, digits and . _ : - are allowed, and - not at its begin"));
    }

    /**
     * Program and arguments for this node; empty when there is no command.
     *
     * @throws NodeControlException when it must not be run for this node
     */
    public List<String> words(NodeInfo node) {
        problem(node).ifPresent(text -> {
            throw new NodeControlException(text);
        });
        if (!shell) {
            return words.stream()
                    .map(word -> word.replace(NODE, node.id()).replace(HOST, node.host()))
                    .toList();
        }
        return List.of("env", "NODE=" + node.id(), "HOST=" + node.host(), "/bin/sh", "-c", words.get(0));
    }

    @Override
    public String toString() {
        return Secrets.inCommand(words);
    }
}
