package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of the two things that {@code ab} compares, as typed.
 *
 * @param text as typed
 * @param kind what it is
 */
record AbSide(String text, Kind kind) {

    /** What a side may be. */
    enum Kind {
        /** A whole command line, in quotes. */
        COMMAND,
        /** {@code threads=8,backups=2}. */
        SETTINGS,
        DRILL_FILE,
        PROPERTY_FILE,
        BINDING
    }

    /** What a text is; empty when it is nothing that can be compared. */
    static Optional<AbSide> of(String typed, CommandContext world) {
        String text = typed.strip();
        if (text.contains(" ")) {
            return Optional.of(new AbSide(text, Kind.COMMAND));
        }
        if (text.contains("=")) {
            return Optional.of(new AbSide(text, Kind.SETTINGS));
        }
        if (BindingNames.all().contains(text)) {
            return Optional.of(new AbSide(text, Kind.BINDING));
        }
        if (text.matches("(?i).+\\.ya?ml")) {
            return Optional.of(new AbSide(text, Kind.DRILL_FILE));
        }
        List<Path> places = world.home()
                .map(home -> List.of(
                        world.workingDirectory().resolve(text),
                        home.resolve(text),
                        home.resolve("workloads").resolve(text)))
                .orElse(List.of(world.workingDirectory().resolve(text)));
        return places.stream().anyMatch(Files::isRegularFile)
                ? Optional.of(new AbSide(text, Kind.PROPERTY_FILE))
                : Optional.empty();
    }

    /** What may be typed, for messages. */
    static String expected() {
        return "expected settings (threads=8,backups=2), a property file, a drill file (.yaml), a binding ("
                + String.join(", ", BindingNames.all())
                + "), or a whole command in quotes (\"run native -P workloads/workloadb\")";
    }

    /** Whether its cells are drills. */
    boolean drills() {
        return kind == Kind.DRILL_FILE || kind == Kind.COMMAND && text.startsWith("drill ");
    }

    /**
     * What it sets, by key of an experiment's file.
     *
     * @param files property files of both sides, before its own
     */
    Map<String, Object> settings(List<String> files) {
        Map<String, Object> settings = new LinkedHashMap<>();
        switch (kind) {
            case COMMAND -> settings.put("command", text);
            case BINDING -> settings.put("binding", text);
            case DRILL_FILE -> settings.put("drill", text);
            case PROPERTY_FILE -> settings.put("workload", AbText.with(files, text));
            case SETTINGS -> settings.putAll(AbText.settings(List.of(text.split(","))));
        }
        return settings;
    }
}
