package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Every figure of a drill, by what it is about; each links to its definition on the same page.
 *
 * @param headers one for each column, the figure's own among them
 * @param cells of a figure, one for each column after the first
 */
record FigureTable(String caption, List<String> headers, Function<Metric, List<String>> cells) {
    private static final List<Group> GROUPS = Pages.resource("figures.properties")
            .lines()
            .filter(line -> line.contains(" = "))
            .map(line -> line.split(" = "))
            .map(line -> new Group(
                    line[0].replace("\\", ""),
                    Arrays.stream(line[1].split(" ")).map(FigureTable::metric).toList()))
            .toList();

    /** Figures that are about the same. */
    record Group(String title, List<Metric> metrics) {}

    static List<Group> groups() {
        return GROUPS;
    }

    private static Metric metric(String key) {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    /** All of it without its groups, by which columns are laid out. */
    Table table() {
        return new Table(
                caption,
                headers,
                GROUPS.stream()
                        .flatMap(group -> group.metrics().stream())
                        .filter(metric -> !cells.apply(metric).isEmpty())
                        .map(metric -> Stream.concat(Stream.of(metric.title()), cells.apply(metric).stream())
                                .toList())
                        .toList());
    }
}
