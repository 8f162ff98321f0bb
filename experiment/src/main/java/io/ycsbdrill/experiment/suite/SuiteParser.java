package io.ycsbdrill.experiment.suite;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.experiment.spec.Axis;
import io.ycsbdrill.experiment.spec.ExperimentFile;
import io.ycsbdrill.experiment.spec.Level;
import io.ycsbdrill.experiment.spec.Overlay;
import io.ycsbdrill.experiment.spec.Vocabulary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Turns the document of a suite's file into its experiments: each with the changes of the engine, of the scale and of the command line. */
record SuiteParser(String file, SuiteChoice choice, Vocabulary vocabulary, LineProblems problems) {
    /** Changes of every experiment. */
    private static final String ALL = "all";

    /** Folders of the suite's cluster, beside those of its experiments. */
    private static final List<String> FOLDERS = List.of("clusters", "state");

    /** Between a scale and an engine: changes of that scale for that engine. */
    private static final String ON = " on ";

    private static final List<String> AMOUNTS = List.of("recordcount", "operationcount");

    Optional<Suite> parse(Node root) {
        return Section.of(root, "the keys of a suite: title, source, engines, scale, experiments", problems)
                .flatMap(this::parse);
    }

    private Optional<Suite> parse(Section all) {
        all.require("title", "of the source");
        all.require("source", "the source: {text: \"who and when\", url: https://...}");
        String title = all.text("title", "the title of the source").orElse("");
        String text = "";
        String url = "";
        Optional<Section> source = all.section("source");
        if (source.isPresent()) {
            Section s = source.get();
            s.require("text", "who published it, and when");
            s.require("url", "where it is");
            text = s.text("text", "who published it, and when").orElse("");
            url = s.text("url", "where it is").orElse("");
            s.rejectOthers();
        }
        List<String> notes = all.has("notes") ? all.texts("notes") : List.of();
        Map<String, Node> experiments = entries(all, "experiments", "at least one experiment");
        Map<String, Node> engines = entries(all, "engines", "the engines that can run it: embedded: {}");
        Map<String, Node> scales = entries(all, "scale", "its scales: small: {}, seed: {}");
        all.rejectOthers();
        experiments.keySet().stream()
                .filter(id -> id.equals(ALL) || FOLDERS.contains(id))
                .forEach(id -> all.problem("experiments", "an experiment cannot be called \"" + id + "\""));
        engines.keySet().stream()
                .filter(name -> !vocabulary.clusterOptions().containsKey(name))
                .forEach(name -> all.problem(
                        "engines",
                        "unknown engine \"" + name + "\""
                                + NearestName.hintOf(
                                        name,
                                        vocabulary.clusterOptions().keySet().stream()
                                                .sorted()
                                                .toList())));
        scales.keySet().stream()
                .filter(name -> name.contains(ON))
                .filter(name -> !scales.containsKey(name.substring(0, name.indexOf(ON)))
                        || !engines.containsKey(name.substring(name.indexOf(ON) + ON.length())))
                .forEach(name -> all.problem(
                        "scale",
                        "\"" + name
                                + "\"; expected one of the other scales, and one of the engines, with \"on\" between"
                                + " them"));
        Map<String, Map<String, Node>> changes = new LinkedHashMap<>();
        engines.forEach((name, node) -> changes.put("engines." + name, changes("engines." + name, node, experiments)));
        scales.forEach((name, node) -> changes.put("scale." + name, changes("scale." + name, node, experiments)));
        if (!scales.containsKey(SuiteChoice.SEED)) {
            all.missing("scale." + SuiteChoice.SEED, "what the source did; {} when the experiments say it already");
        }
        if (problems.any()) {
            return Optional.empty();
        }
        Optional<String> engine = engine(all, engines);
        Optional<Double> factor = factor(all, scales);
        if (problems.any()) {
            return Optional.empty();
        }
        String scale = factor.isPresent() ? SuiteChoice.SEED : choice.scale();
        String name = Path.of(file).getFileName().toString().replaceFirst("\\.ya?ml$", "");
        Map<String, ExperimentFile> made = new LinkedHashMap<>();
        experiments.forEach((id, node) -> {
            Node changed = node;
            List<String> sources = new ArrayList<>();
            engine.ifPresent(each -> sources.add("engines." + each));
            sources.add("scale." + scale);
            // What the source's machine needs of a cluster is not what a part of its rows needs.
            engine.filter(each -> factor.isEmpty()).ifPresent(each -> sources.add("scale." + scale + ON + each));
            for (String each : sources) {
                for (String key : List.of(ALL, id)) {
                    Node change = changes.getOrDefault(each, Map.of()).get(key);
                    changed = change == null ? changed : Overlay.merge(changed, change);
                }
            }
            if (changed instanceof MappingNode document) {
                MappingNode own = own(name + " " + id, document, engine, factor);
                ExperimentFile.of(file, own, vocabulary, problems).ifPresent(one -> {
                    made.put(id, one);
                    requireDifferentLevels(all, id, one, engine);
                });
            } else {
                problems.add(YamlReader.line(node), "experiments." + id + ": expected the keys of an experiment");
            }
        });
        return problems.any()
                ? Optional.empty()
                : Optional.of(new Suite(name, title, text, url, notes, engine, choice.scale(), made));
    }

    /** Levels that only an engine's cluster makes different are the same database twice when no cluster is started. */
    private static void requireDifferentLevels(Section all, String id, ExperimentFile one, Optional<String> engine) {
        if (engine.isPresent()) {
            return;
        }
        for (Axis axis : one.experiment().axes()) {
            List<String> same = axis.levels().stream()
                    .filter(level ->
                            level.settings().isEmpty() && level.command().isEmpty())
                    .map(Level::label)
                    .toList();
            if (same.size() > 1) {
                all.problem(
                        "experiments",
                        id + ".axes." + axis.name() + ": without a cluster of an engine its levels "
                                + String.join(", ", same)
                                + " are the same database; choose an engine with --on");
            }
        }
    }

    private Optional<String> engine(Section all, Map<String, Node> engines) {
        if (choice.engine().isEmpty()) {
            return choice.properties().isEmpty() ? engines.keySet().stream().findFirst() : Optional.empty();
        }
        String wanted = choice.engine().get();
        if (!engines.containsKey(wanted)) {
            all.problem(
                    "engines",
                    "the suite does not say how to run it on \"" + wanted + "\""
                            + NearestName.hintOf(wanted, engines.keySet()));
        }
        return choice.engine();
    }

    /** The factor; empty for a scale that has a name. */
    private Optional<Double> factor(Section all, Map<String, Node> scales) {
        if (scales.containsKey(choice.scale()) && !choice.scale().contains(ON)) {
            return Optional.empty();
        }
        if (choice.scale().matches("\\d{1,6}(\\.\\d{1,9})?") && Double.parseDouble(choice.scale()) > 0) {
            return Optional.of(Double.parseDouble(choice.scale()));
        }
        all.problem(
                "scale",
                "\"" + choice.scale() + "\" is not there; expected "
                        + scales.keySet().stream()
                                .filter(name -> !name.contains(ON))
                                .collect(Collectors.joining(", "))
                        + " or a factor of the source's rows and operations: 0.01");
        return Optional.empty();
    }

    /** What the command line says: a scale, an engine, properties; and a name. */
    private MappingNode own(String name, MappingNode document, Optional<String> engine, Optional<Double> factor) {
        MappingNode own = document.getValue().stream()
                        .anyMatch(tuple -> Overlay.key(tuple).equals("name"))
                ? document
                : Overlay.with(document, name, "name");
        own = engine.isPresent()
                ? Overlay.with(own, engine.get(), "cluster", "engine")
                : Overlay.without(Overlay.without(own, "cluster"), "share_cluster");
        own = factor.isPresent() ? scaled(own, factor.get()) : own; // the amounts of the source, not those typed
        if (choice.properties().isEmpty()) {
            return own;
        }
        // What is wrong in the file is found when the whole of it is read.
        Optional<ExperimentFile> inTheFile = ExperimentFile.of(file, own, vocabulary, new LineProblems(file));
        for (Map.Entry<String, String> property : new TreeMap<>(choice.properties()).entrySet()) {
            String key = property.getKey();
            if (inTheFile.flatMap(one -> one.experiment().axisThatSets(key)).isPresent()) {
                continue; // for whoever chooses the experiment to refuse
            }
            boolean known = key.contains(".") || vocabulary.properties().contains(key);
            own = Overlay.with(own, property.getValue(), "fixed", known ? key : Vocabulary.PROPERTY_PREFIX + key);
        }
        return own;
    }

    /** Rows and operations of all cells and of labels, wherever the document has them: {@code fixed}, and below {@code axes}. */
    private static MappingNode scaled(MappingNode document, double factor) {
        MappingNode scaled = document;
        for (NodeTuple tuple : document.getValue()) {
            String key = Overlay.key(tuple);
            if (AMOUNTS.contains(key)
                    && tuple.getValueNode() instanceof ScalarNode value
                    && value.getValue().matches("\\d{1,18}")) {
                long amount = Math.max(1, Math.round(Long.parseLong(value.getValue()) * factor));
                scaled = Overlay.with(scaled, Long.toString(amount), key);
            } else if (tuple.getValueNode() instanceof MappingNode inner && !key.equals("claims")) {
                scaled = Overlay.put(scaled, key, scaled(inner, factor));
            }
        }
        return scaled;
    }

    private Map<String, Node> entries(Section all, String key, String expected) {
        Map<String, Node> entries = new LinkedHashMap<>();
        Optional<Node> node = all.node(key);
        if (node.isPresent()
                && node.get() instanceof MappingNode mapping
                && !mapping.getValue().isEmpty()) {
            Section section = new Section(key, mapping, problems);
            mapping.getValue().forEach(tuple -> {
                String name = Overlay.key(tuple);
                if (!name.matches("[\\w][\\w-]{0,39}")
                        && !(key.equals("scale") && name.matches("[\\w-]+" + ON + "[\\w-]+"))) {
                    section.problem(name, "expected at most 40 letters, digits, - and _ as a name");
                }
                section.node(name).ifPresent(value -> entries.put(name, value));
            });
        } else {
            all.missing(key, expected);
        }
        return entries;
    }

    /** The changes of an engine or a scale, by experiment. */
    private Map<String, Node> changes(String path, Node node, Map<String, Node> experiments) {
        Map<String, Node> changes = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            problems.add(
                    YamlReader.line(node),
                    path + ": " + YamlReader.what(node) + "; expected changes of experiments: all: {repeats: 3}");
            return changes;
        }
        Section section = new Section(path, mapping, problems);
        section.node(ALL).ifPresent(change -> changes.put(ALL, change));
        experiments.keySet().forEach(id -> section.node(id).ifPresent(change -> changes.put(id, change)));
        section.rejectOthers();
        return changes;
    }
}
