package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.experiment.spec.Variant;

/**
 * One run of an experiment.
 *
 * @param id names its directory; the same in every plan of the same experiment
 * @param variant what is run
 * @param repeat from 1
 * @param twin whether it is the second run of the reference in this repeat, which shows how unlike two equal cells are
 */
public record Cell(String id, Variant variant, int repeat, boolean twin) {
    private static final int LONGEST_LABELS = 60;

    static Cell of(Variant variant, int repeat, boolean twin) {
        StringBuilder labels = new StringBuilder();
        variant.levels()
                .forEach((axis, label) ->
                        labels.append('-').append(axis).append('-').append(label));
        String text = labels.toString().replaceAll("[^A-Za-z0-9._-]+", "_");
        String brief = text.substring(0, Math.min(text.length(), LONGEST_LABELS));
        String id = Formatted.of("v%03d%s-r%d%s", variant.number(), brief, repeat, twin ? "-aa" : "");
        return new Cell(id, variant, repeat, twin);
    }

    /** For people: {@code threads=4, repeat 2}. */
    public String title() {
        StringBuilder title = new StringBuilder();
        variant.levels()
                .forEach((axis, label) ->
                        title.append(axis).append('=').append(label).append(", "));
        return title + "repeat " + repeat + (twin ? " (A/A)" : "");
    }
}
