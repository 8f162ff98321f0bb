package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is the same for every engine whose nodes are restarted with changed settings: which are refused, and whether a node
 * reports them. Thread-safe.
 */
public final class Reconfiguration {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    /** Nothing that could end a line or a value of a configuration file. */
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_.:/+-]{1,128}");

    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([KMGT]?)");
    private static final Set<String> YES = Set.of("1", "on", "true", "yes");
    private static final Set<String> NO = Set.of("0", "off", "false", "no");

    private final Function<String, Optional<OsProcess>> processes;
    private final Map<String, OsProcess> before = new ConcurrentHashMap<>();

    /** @param processes the process of a node; empty when it is not running */
    public Reconfiguration(Function<String, Optional<OsProcess>> processes) {
        this.processes = processes;
    }

    /** The node's configuration is about to be changed: what it reports until its next start is not the answer. */
    public void begin(String node) {
        OsProcess process = processes
                .apply(node)
                .orElseThrow(() ->
                        new NodeControlException(node + " cannot be restarted with other settings: it has no process"));
        before.put(node, process);
    }

    /**
     * Why the settings are refused.
     *
     * @param ours names that the cluster itself depends on, lower case
     * @param reported what each node says of these settings now, by name and value; a name that is missing is unknown
     * @param hint where the names are to be found, as the end of a sentence
     */
    public static List<String> refusals(
            Map<String, String> settings,
            Set<String> ours,
            Supplier<Map<String, Map<String, String>>> reported,
            String hint) {
        List<String> refusals = new ArrayList<>();
        settings.forEach((name, value) -> {
            if (!NAME.matcher(name).matches()) {
                refusals.add("set: \"" + name + "\" is not a setting");
            } else if (ours.contains(canonical(name))) {
                refusals.add("set: " + name + " is what the cluster is made with and cannot be changed");
            } else if (!VALUE.matcher(value).matches()) {
                refusals.add(
                        "set: " + name + ": \"" + value + "\"; expected 1 to 128 letters, digits and . _ : / + - only");
            }
        });
        if (!refusals.isEmpty()) {
            return refusals; // such names are not shown to the engine
        }
        Map<String, Map<String, String>> now;
        try {
            now = reported.get();
        } catch (NodeControlException e) {
            return List.of("the present settings cannot be asked for: " + e.getMessage());
        }
        settings.forEach((name, value) -> {
            List<String> unknown = now.entrySet().stream()
                    .filter(node -> !node.getValue().containsKey(canonical(name)))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!unknown.isEmpty()) {
                refusals.add("set: node " + String.join(", ", unknown) + " has no setting " + name + "; " + hint);
            } else if (now.values().stream().allMatch(node -> same(node.get(canonical(name)), value))) {
                refusals.add("set: " + name + " is " + value + " on every node already, so nothing would be changed");
            }
        });
        return refusals;
    }

    /** Whether the node was started since {@link #begin} and reports these values. */
    public Sight look(String node, Map<String, String> settings, Supplier<Map<String, String>> reported) {
        Optional<OsProcess> process = processes.apply(node);
        if (process.isEmpty() || process.get().equals(before.get(node))) {
            return new Sight(false, node + (process.isEmpty() ? " is down" : " was not restarted yet"));
        }
        if (!before.containsKey(node)) {
            return new Sight(false, node + " was given no other settings");
        }
        Map<String, String> now = reported.get();
        boolean all = settings.entrySet().stream()
                .allMatch(each -> same(now.getOrDefault(canonical(each.getKey()), ""), each.getValue()));
        return new Sight(
                all,
                node + " reports "
                        + settings.keySet().stream()
                                .map(name -> name + "=" + now.getOrDefault(canonical(name), "nothing"))
                                .collect(Collectors.joining(", ")));
    }

    /**
     * A configuration file's text with these settings in one of its sections, in place of those there.
     *
     * @param section its line, such as {@code [mariadbd]}
     */
    public static String changed(String text, String section, Map<String, String> settings) {
        Map<String, String> left = new TreeMap<>(settings);
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        int end = -1;
        for (String line : text.lines().toList()) {
            if (line.startsWith("[")) {
                inside = line.equals(section);
            }
            Optional<String> name = !inside || !line.contains("=") || line.startsWith("#")
                    ? Optional.empty()
                    : settings.keySet().stream()
                            .filter(each -> canonical(each)
                                    .equals(canonical(
                                            line.substring(0, line.indexOf('=')).strip())))
                            .findFirst();
            lines.add(name.map(each -> each + "=" + settings.get(each)).orElse(line));
            name.ifPresent(left::remove);
            if (inside && !line.isBlank()) {
                end = lines.size();
            }
        }
        if (end < 0) {
            throw new IllegalArgumentException("no section " + section);
        }
        List<String> added = left.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
        lines.addAll(end, added);
        return String.join("\n", lines) + "\n";
    }

    /** A name as engines compare it: neither case nor the kind of dash matters. */
    public static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /** Whether both are the same value: {@code 64M} is {@code 67108864}, {@code ON} is {@code 1}. */
    static boolean same(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(String value) {
        Matcher size = SIZE.matcher(value.toUpperCase(Locale.ROOT));
        if (size.matches()) {
            long factor = 1L << 10 * " KMGT".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
            return Long.toString(Long.parseLong(size.group(1)) * factor);
        }
        String word = value.toLowerCase(Locale.ROOT);
        return YES.contains(word) ? "1" : NO.contains(word) ? "0" : word;
    }
}
