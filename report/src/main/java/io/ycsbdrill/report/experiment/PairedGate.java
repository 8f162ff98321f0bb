package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.stat.Chance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether B may pass: the figures of a comparison, judged together. A false alarm is as rare over all of them as over one. Immutable.
 *
 * @param figures that it looks at
 * @param failed those of which B is established to be worse beyond the bound, or not to reach them
 * @param open why it cannot be said of others, each a sentence
 */
public record PairedGate(List<FigureComparison> figures, List<FigureComparison> failed, List<String> open) {
    public PairedGate {
        figures = List.copyOf(figures);
        failed = List.copyOf(failed);
        open = List.copyOf(open);
    }

    /**
     * Judges.
     *
     * @param share by which part of A's figure B may be worse, 0 or more
     * @param names of the figures to look at, as the table has them; empty for all
     */
    public static PairedGate of(PairedComparison comparison, double share, List<String> names) {
        List<FigureComparison> figures = comparison.figures().stream()
                .filter(figure -> names.isEmpty() || names.stream().anyMatch(name -> is(figure.figure(), name)))
                .toList();
        List<String> open = new ArrayList<>();
        names.stream()
                .filter(name -> figures.stream().noneMatch(figure -> is(figure.figure(), name)))
                .forEach(name -> open.add(name + ": not measured, or 0 in every run"));
        if (!comparison.judged()) {
            open.add("too few complete pairs: " + comparison.complete());
            return new PairedGate(figures, List.of(), open);
        }
        List<FigureComparison> tested =
                figures.stream().filter(FigureComparison::tested).toList();
        boolean[] established = Chance.established(
                tested.stream().mapToDouble(FigureComparison::chance).toArray());
        List<FigureComparison> failed = new ArrayList<>();
        for (int i = 0; i < tested.size(); i++) {
            FigureComparison figure = tested.get(i);
            if (established[i] && (figure.lacking() || figure.worseBeyond(share))) {
                failed.add(figure);
            } else if (figure.lacking()) {
                open.add(PairedComparison.sentence(figure) + "; that may be chance");
            }
        }
        figures.stream()
                .filter(figure -> !names.isEmpty() && figure.outcome().isEmpty() && !tested.contains(figure))
                .forEach(figure -> open.add(PairedComparison.sentence(figure)));
        if (tested.isEmpty()) {
            open.add("no figure could be judged");
        }
        if (comparison.complete() < comparison.planned()) {
            open.add(comparison.complete() + " of " + comparison.planned() + " pairs are complete");
        }
        return new PairedGate(figures, failed, open);
    }

    /** 3 when B is worse, 1 when that cannot be said, 0 otherwise. */
    public int exitCode() {
        return !failed.isEmpty() ? 3 : open.isEmpty() ? 0 : 1;
    }

    /** The figures of which B is worse, in words. */
    public List<String> worse() {
        return failed.stream().map(PairedComparison::sentence).toList();
    }

    private static boolean is(Figure figure, String name) {
        String title = figure.title().toLowerCase(Locale.ROOT);
        String typed = name.strip().toLowerCase(Locale.ROOT);
        return title.equals(typed)
                || title.startsWith(typed + ", ")
                || (title + " (" + figure.unit().toLowerCase(Locale.ROOT) + ")").equals(typed);
    }

    /**
     * What a gate over drills cannot find: with few pairs, not even that B never reaches what A always reaches.
     *
     * @param names of the figures to look at; empty for all
     */
    public static Optional<String> caution(int pairs, List<String> names) {
        long most = (long) Math.floor(Chance.ALARMS * Math.pow(3, pairs));
        int judged = names.isEmpty() ? Metric.values().length : names.size();
        return most >= judged
                ? Optional.empty()
                : Optional.of(
                        "with " + pairs + " pairs, that B does not reach what A reaches can be told from chance only"
                                + " where at most " + most + (most == 1 ? " figure is" : " figures are")
                                + " judged; take more --pairs, or choose --figures");
    }

    /** What is wrong with the name of a figure: no run could have it; empty when it may be in the table. */
    public static Optional<String> problem(String name) {
        List<Figure> known = new ArrayList<>();
        PairedFigures.FIRST.forEach(column -> known.add(Figure.of(column)));
        PairedFigures.LOSSES.forEach(column -> known.add(Figure.of(column)));
        known.add(PairedFigures.notOk());
        Arrays.stream(Metric.values())
                .filter(metric -> !PairedFigures.NEITHER.contains(metric))
                .forEach(metric -> known.add(Figure.of("drill_" + metric.key())));
        boolean latency =
                name.strip().matches("(?i)[A-Z][A-Z0-9_-]* p(50|95|99)(, (service|response) time)?( \\(ms\\))?");
        if (latency || known.stream().anyMatch(figure -> is(figure, name))) {
            return Optional.empty();
        }
        List<String> titles = known.stream().map(Figure::title).toList();
        return Optional.of("--figures \"" + name + "\" is no figure of the table"
                + NearestName.of(name, titles)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("")
                + "; expected for example \"Throughput\" or \"READ p99\"");
    }
}
