package io.ycsbdrill.experiment.spec;

import java.util.List;

/**
 * One value of an axis.
 *
 * @param label its name in tables and charts
 * @param settings what it sets; empty for a whole command
 * @param command a whole command line instead; empty for settings
 */
public record Level(String label, List<Setting> settings, List<String> command) {
    public Level {
        settings = List.copyOf(settings);
        command = List.copyOf(command);
    }
}
