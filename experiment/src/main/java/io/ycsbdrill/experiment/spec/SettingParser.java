package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.experiment.spec.Setting.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads settings: those of all cells, of an axis, or of one label of an axis. */
record SettingParser(Vocabulary vocabulary, Command command, Optional<String> engine, LineProblems problems) {
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

    /** The keys of a mapping that are single values, in order, each once. */
    static List<String> names(MappingNode mapping) {
        List<String> names = new ArrayList<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (entry.getKeyNode() instanceof ScalarNode key && !names.contains(key.getValue())) {
                names.add(key.getValue());
            }
        }
        return names;
    }

    /** The settings of a mapping. */
    List<Setting> map(String path, Node node) {
        if (!(node instanceof MappingNode mapping)) {
            problems.add(
                    YamlReader.line(node), path + ": " + YamlReader.what(node) + "; expected settings: {threads: 4}");
            return List.of();
        }
        Section section = new Section(path, mapping, problems);
        List<Setting> settings = new ArrayList<>();
        for (String name : names(mapping)) {
            Node value = section.node(name).orElseThrow();
            int line = YamlReader.line(value);
            find(name, line, path + "." + name)
                    .flatMap(setting -> values(section, name, value)
                            .flatMap(values -> with(setting, values, line, path + "." + name)))
                    .ifPresent(settings::add);
        }
        section.rejectOthers();
        return settings;
    }

    private Optional<List<String>> values(Section section, String name, Node value) {
        if (value instanceof SequenceNode && name.equals("workload")) {
            List<String> files = section.texts(name);
            return files.isEmpty() ? Optional.empty() : Optional.of(files);
        }
        return section.text(name, "a value").map(List::of);
    }

    /** The setting of that name, without a value. */
    Optional<Setting> find(String name, int line, String path) {
        Optional<Setting> found = vocabulary.find(name, command, engine);
        if (found.isEmpty()) {
            problems.add(line, path + ": " + vocabulary.unknown(name, command, engine));
        }
        return found;
    }

    /** The setting with a value; empty, and a problem, when it cannot have it. */
    Optional<Setting> with(Setting setting, List<String> values, int line, String path) {
        String value = values.get(values.size() - 1);
        if (setting.kind() == Kind.SWITCH && !value.equals("true") && !value.equals("false")) {
            problems.add(line, path + ": \"" + value + "\"; expected true or false");
            return Optional.empty();
        }
        if (values.stream().anyMatch(String::isBlank)) {
            problems.add(line, path + ": an empty value");
            return Optional.empty();
        }
        if (!Secrets.masked(setting.typed(), value).equals(value)) {
            problems.add(
                    line,
                    path + ": a secret would be seen in the process list and in the results; put it into a property"
                            + " file and name that beside the workload: workload: [workloada, my.properties]");
            return Optional.empty();
        }
        return Optional.of(new Setting(setting.kind(), setting.key(), setting.typed(), values));
    }

    /** A whole command line: a list of words, or one text. */
    List<String> command(Section section) {
        Optional<Node> node = section.node("command");
        List<String> words = new ArrayList<>();
        if (node.isPresent() && node.get() instanceof SequenceNode) {
            words.addAll(section.texts("command"));
        } else {
            Matcher word =
                    WORD.matcher(section.text("command", "a command line").orElse(""));
            while (word.find()) {
                words.add(word.group().replaceAll("[\"']", ""));
            }
        }
        if (words.isEmpty()) {
            section.problem("command", "an empty command; expected for example: run native -P workloads/workloadc");
        }
        if (words.contains("--out")) {
            section.problem(
                    "command", "--out is given by the experiment; write {out} where the directory belongs, or nothing");
        }
        boolean secret =
                words.stream().anyMatch(word -> !Secrets.inArgument(word).equals(word));
        if (secret) {
            section.problem(
                    "command",
                    "a secret would be seen in the process list and in the results; put it into a property file (-P)");
        }
        return words;
    }
}
