package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.experiment.spec.Setting.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One combination of levels, which every repeat runs once.
 *
 * @param number from 1, in the order of the file
 * @param levels the label of each axis
 * @param settings fixed ones and those of the levels, each once, whatever its name
 * @param command the whole command line instead; empty for settings
 * @param cluster the cluster it needs; empty when the experiment starts none
 */
public record Variant(
        int number,
        Map<String, String> levels,
        List<Setting> settings,
        List<String> command,
        Optional<ClusterSpec> cluster) {
    public Variant {
        settings = List.copyOf(settings);
        command = List.copyOf(command);
    }

    /** Whether it is a whole command line, of which nothing else is known. */
    public boolean isCommand() {
        return !command.isEmpty();
    }

    /** The arguments of the tool, without the run directory. */
    public List<String> arguments(Command kind) {
        List<String> words = new ArrayList<>(List.of(kind.word()));
        settings.stream().filter(s -> s.kind() == Kind.BINDING).forEach(s -> words.addAll(s.words()));
        settings.stream().filter(s -> s.kind() != Kind.BINDING).forEach(s -> words.addAll(s.words()));
        return words;
    }
}
