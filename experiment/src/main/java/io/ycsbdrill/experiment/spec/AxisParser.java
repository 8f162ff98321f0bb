package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the axes of an experiment's file and their levels: values of one setting, or labels with settings or a command. */
record AxisParser(SettingParser settings, LineProblems problems) {

    List<Axis> axes(Section all) {
        Optional<Node> node = all.node("axes");
        if (node.isEmpty()) {
            all.missing("axes", "at least one axis: threads: [1, 2, 4]");
            return List.of();
        }
        if (!(node.get() instanceof MappingNode mapping) || mapping.getValue().isEmpty()) {
            all.problem("axes", YamlReader.what(node.get()) + "; expected at least one axis: threads: [1, 2, 4]");
            return List.of();
        }
        Section section = new Section("axes", mapping, problems);
        List<Axis> axes = new ArrayList<>();
        for (String name : SettingParser.names(mapping)) {
            section.node(name).ifPresent(levels -> axes.add(new Axis(name, levels(section, name, levels))));
        }
        return axes;
    }

    private List<Level> levels(Section axes, String name, Node node) {
        if (node instanceof MappingNode mapping && !mapping.getValue().isEmpty()) {
            if (!name.matches("[\\w][\\w .-]{0,39}")) {
                axes.problem(name, "expected at most 40 letters, digits, blanks and . - _ as the name of an axis");
            }
            return labelled("axes." + name, mapping);
        }
        if (node instanceof SequenceNode list && !list.getValue().isEmpty()) {
            Optional<Setting> setting = settings.find(name, YamlReader.line(node), "axes." + name);
            List<Level> levels = new ArrayList<>();
            for (Node item : list.getValue()) {
                Optional<String> value = YamlReader.text(item);
                if (value.isEmpty()) {
                    axes.problem(name, YamlReader.what(item) + " in the list; expected a value");
                } else if (levels.stream().anyMatch(level -> level.label().equals(value.get()))) {
                    axes.problem(name, "\"" + value.get() + "\" is in the list twice");
                } else {
                    setting.flatMap(s -> settings.with(s, List.of(value.get()), YamlReader.line(item), "axes." + name))
                            .ifPresent(s -> levels.add(new Level(value.get(), List.of(s), List.of())));
                }
            }
            return levels;
        }
        axes.problem(
                name,
                YamlReader.what(node)
                        + "; expected a list of values, [1, 2], or labels with settings, a: {threads: 1}");
        return List.of();
    }

    private List<Level> labelled(String path, MappingNode mapping) {
        Section section = new Section(path, mapping, problems);
        List<Level> levels = new ArrayList<>();
        for (String label : SettingParser.names(mapping)) {
            if (!label.matches("[^\\p{Cntrl},\"]{1,60}")) {
                section.problem(label, "expected at most 60 characters without comma and quotes as a label");
            }
            section.node(label).ifPresent(node -> levels.add(level(path + "." + label, label, node)));
        }
        return levels;
    }

    private Level level(String path, String label, Node node) {
        if (node instanceof MappingNode mapping && SettingParser.names(mapping).contains("command")) {
            Section section = new Section(path, mapping, problems);
            List<String> command = settings.command(section);
            section.rejectOthers();
            return new Level(label, List.of(), command);
        }
        return new Level(label, settings.map(path, node), List.of());
    }
}
