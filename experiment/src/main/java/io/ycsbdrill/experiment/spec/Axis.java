package io.ycsbdrill.experiment.spec;

import java.util.List;

/** What is varied, and the values that it takes, in their order. */
public record Axis(String name, List<Level> levels) {
    public Axis {
        levels = List.copyOf(levels);
    }
}
