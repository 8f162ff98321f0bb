package io.ycsbdrill.base.yaml;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The keys of one mapping of a file, read by type. What is wrong goes to the problems, and reading continues with the
 * value absent. Knows which keys were asked for, so that {@link #rejectOthers} finds the unknown ones.
 */
public final class Section {
    private static final Pattern PERCENT_FORM = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,6})?)%");

    private final String path;
    private final MappingNode mapping;
    private final LineProblems problems;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    /** @param path the keys that lead to it, as in messages; empty for the whole file */
    public Section(String path, MappingNode mapping, LineProblems problems) {
        this.path = path;
        this.mapping = mapping;
        this.problems = problems;
        for (NodeTuple e : mapping.getValue()) {
            NodeTuple first = entries.putIfAbsent(name(e), e);
            if (first != null) {
                problems.add(
                        YamlReader.line(e.getKeyNode()),
                        key(name(e)) + ": is given twice; first in line " + YamlReader.line(first.getKeyNode()));
            }
        }
    }

    /**
     * The keys of a whole file; empty when it is something else, which is then among the problems.
     *
     * @param expected for the message: {@code the keys of a drill: steps, limits, ...}
     */
    public static Optional<Section> of(Node root, String expected, LineProblems problems) {
        if (root instanceof MappingNode mapping) {
            return Optional.of(new Section("", mapping, problems));
        }
        problems.add(YamlReader.line(root), YamlReader.what(root) + "; expected " + expected);
        return Optional.empty();
    }

    /** The key; what is not a single value cannot be the name of anything. */
    private static String name(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : YamlReader.what(entry.getKeyNode());
    }

    private int line(String name) {
        NodeTuple entry = entries.get(name);
        return YamlReader.line(entry == null ? mapping : entry.getKeyNode());
    }

    public boolean has(String name) {
        known.add(name);
        return entries.containsKey(name);
    }

    public void problem(String name, String text) {
        problems.add(line(name), key(name) + ": " + text);
    }

    public void missing(String name, String allowed) {
        problems.add(YamlReader.line(mapping), key(name) + ": is missing; " + allowed);
    }

    /** The key is missing unless it is there. */
    public void require(String name, String allowed) {
        if (!has(name)) {
            missing(name, allowed);
        }
    }

    /** Call when every key that is allowed here has been asked for. */
    public void rejectOthers() {
        for (NodeTuple e : mapping.getValue()) {
            if (!known.contains(name(e))) {
                problems.add(
                        YamlReader.line(e.getKeyNode()),
                        key(name(e)) + ": unknown key" + NearestName.hintOf(name(e), known));
            }
        }
    }

    public Optional<Node> node(String name) {
        known.add(name);
        return Optional.ofNullable(entries.get(name)).map(NodeTuple::getValueNode);
    }

    public Optional<String> text(String name, String expected) {
        Optional<Node> node = node(name);
        Optional<String> text = node.flatMap(YamlReader::text);
        if (node.isPresent() && text.isEmpty()) {
            problem(name, YamlReader.what(node.get()) + "; expected " + expected);
        }
        return text;
    }

    /** Whether the key has this very text; it is read elsewhere when it has not. */
    public boolean is(String name, String text) {
        return node(name).flatMap(YamlReader::text).filter(text::equals).isPresent();
    }

    public Optional<Boolean> flag(String name) {
        return text(name, "true or false").flatMap(t -> {
            if (t.equals("true") || t.equals("false")) {
                return Optional.of(t.equals("true"));
            }
            problem(name, "\"" + t + "\"; expected true or false");
            return Optional.empty();
        });
    }

    public Optional<Duration> duration(String name, Duration least, Duration most) {
        return text(name, Durations.EXPECTED).flatMap(t -> {
            try {
                return Optional.of(Durations.parse(t, least, most));
            } catch (IllegalArgumentException e) {
                problem(name, e.getMessage());
                return Optional.empty();
            }
        });
    }

    public OptionalDouble percent(String name, double least, double most) {
        Optional<String> text = text(name, "a percentage: 50%");
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        Matcher form = PERCENT_FORM.matcher(text.get());
        if (!form.matches()) {
            problem(name, "\"" + text.get() + "\"; expected a percentage: 50%");
            return OptionalDouble.empty();
        }
        double value = Double.parseDouble(form.group(1));
        if (value < least || value > most) {
            problem(name, "\"" + text.get() + "\" is out of range; allowed: " + least + "% to " + most + "%");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(value);
    }

    public OptionalLong count(String name, long least, long most) {
        Optional<String> text = text(name, "a whole number");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long value = Long.parseLong(text.get());
            if (value >= least && value <= most) {
                return OptionalLong.of(value);
            }
            problem(name, "\"" + text.get() + "\" is out of range; allowed: " + least + " to " + most);
        } catch (NumberFormatException e) {
            problem(name, "\"" + text.get() + "\"; expected a whole number");
        }
        return OptionalLong.empty();
    }

    /** A list of texts; empty when the key is missing or the list is wrong. */
    public List<String> texts(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof SequenceNode list) || list.getValue().isEmpty()) {
            problem(name, YamlReader.what(node.get()) + "; expected a list of at least one: [a, b]");
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (Node item : list.getValue()) {
            YamlReader.text(item)
                    .ifPresentOrElse(
                            texts::add, () -> problem(name, YamlReader.what(item) + " in the list; expected text"));
        }
        return texts;
    }

    /** A list of lists of texts, each of at least one; empty when the key is missing or something of it is wrong. */
    public List<List<String>> lists(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return List.of();
        }
        List<List<String>> lists = new ArrayList<>();
        boolean right =
                node.get() instanceof SequenceNode all && !all.getValue().isEmpty();
        if (right) {
            for (Node each : ((SequenceNode) node.get()).getValue()) {
                List<String> texts = new ArrayList<>();
                if (each instanceof SequenceNode list) {
                    list.getValue().forEach(item -> YamlReader.text(item).ifPresent(texts::add));
                    right &= texts.size() == list.getValue().size();
                }
                right &= !texts.isEmpty();
                lists.add(texts);
            }
        }
        if (!right) {
            problem(name, "expected a list of lists, each of at least one: [[a], [b, c]]");
        }
        return right ? lists : List.of();
    }

    /** Names and values of the reader's own choice, in their order; empty when the key is missing or its mapping is wrong. */
    public Map<String, String> entries(String name) {
        Optional<Section> inner = section(name);
        Map<String, String> texts = new LinkedHashMap<>();
        inner.ifPresent(section -> section.entries.keySet().forEach(key -> section.text(key, "one value")
                .ifPresent(text -> texts.put(key, text))));
        if (inner.isPresent() && inner.get().entries.isEmpty()) {
            problem(name, "is empty; expected names and values: {name: value}");
        }
        return texts.size() == inner.map(section -> section.entries.size()).orElse(0) ? texts : Map.of();
    }

    /** One of the allowed words. */
    public Optional<String> word(String name, List<String> allowed) {
        return text(name, "one of " + String.join(", ", allowed)).flatMap(t -> {
            if (allowed.contains(t)) {
                return Optional.of(t);
            }
            problem(name, "\"" + t + "\"" + NearestName.hintOf(t, allowed));
            return Optional.empty();
        });
    }

    /** One of the allowed values, by its label. */
    public <T> Optional<T> choice(String name, List<T> allowed, Function<T, String> label) {
        return word(name, allowed.stream().map(label).toList()).flatMap(word -> allowed.stream()
                .filter(value -> label.apply(value).equals(word))
                .findFirst());
    }

    /** A mapping within this one. */
    public Optional<Section> section(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof MappingNode m) {
            return Optional.of(new Section(path.isEmpty() ? name : path + "." + name, m, problems));
        }
        problem(name, YamlReader.what(node.get()) + "; expected keys and values");
        return Optional.empty();
    }

    /**
     * A list of mappings, {@code name[1]}, {@code name[2]}, ... in messages; without those items that are something else.
     *
     * @param list what is expected: {@code a list of at least one step}
     * @param item what is expected of an item: {@code the keys of a step}
     */
    public List<Section> sections(String name, String list, String item) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof SequenceNode all) || all.getValue().isEmpty()) {
            problem(name, YamlReader.what(node.get()) + "; expected " + list);
            return List.of();
        }
        List<Section> sections = new ArrayList<>();
        int number = 1;
        for (Node one : all.getValue()) {
            String place = key(name) + "[" + number++ + "]";
            if (one instanceof MappingNode each) {
                sections.add(new Section(place, each, problems));
            } else {
                problems.add(YamlReader.line(one), place + ": " + YamlReader.what(one) + "; expected " + item);
            }
        }
        return sections;
    }

    /** All of its keys that are single values, in their order. */
    public List<String> names() {
        return entries.values().stream()
                .flatMap(entry -> YamlReader.text(entry.getKeyNode()).stream())
                .toList();
    }

    /** The key with those that lead to it, as in messages. */
    public String key(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
