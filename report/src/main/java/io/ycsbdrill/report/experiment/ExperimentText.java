package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.page.TableText;
import java.util.ArrayList;
import java.util.List;

/** The result for a terminal, and as Markdown for a pull request. Stateless. */
final class ExperimentText {
    static String terminal(ExperimentResult result) {
        StringBuilder text = new StringBuilder();
        text.append(result.plan().kind())
                .append(' ')
                .append(result.plan().name())
                .append(": ");
        text.append(result.cellsText())
                .append(", order ")
                .append(result.plan().orderText())
                .append("\n\n");
        result.paired().ifPresent(paired -> text.append(paired.text()));
        tables(result).forEach(table -> text.append(TableText.plain(result.named(table)))
                .append('\n'));
        kneeLines(result).forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    static String markdown(ExperimentResult result) {
        StringBuilder text = new StringBuilder();
        text.append("### ").append(TableText.escaped(result.plan().name())).append("\n\n");
        text.append(TableText.escaped(result.cellsText()) + "; "
                + Counted.of(result.plan().repeats(), "repeat") + ", order "
                + result.plan().orderText() + ". "
                + TableText.escaped(result.plan().tool()) + "\n\n");
        result.cautions().forEach(caution -> text.append("> **Caution:** " + TableText.escaped(caution) + "\n\n"));
        kneeLines(result).forEach(line -> text.append(TableText.escaped(line)).append("\n\n"));
        result.paired().ifPresent(paired -> text.append(paired.markdown()));
        tables(result).forEach(table -> text.append(TableText.markdown(result.named(table)) + '\n'));
        if (result.data().counting() < result.data().rows().size()) {
            text.append(TableText.markdown(result.named(ResultTables.objections(result))) + '\n');
        }
        return text.toString();
    }

    private static List<Table> tables(ExperimentResult result) {
        List<Table> tables = new ArrayList<>();
        if (result.paired().isPresent()) {
            return tables; // which shows all of it, and more
        }
        if (!result.claims().isEmpty()) {
            tables.add(result.claimsTable());
        }
        tables.addAll(result.gains());
        result.ascents().ifPresent(ascents -> ascents.ascents()
                .forEach(ascent -> tables.add(ResultTables.ascent(ascents.axis(), ascent))));
        result.comparisons().forEach(comparisons -> tables.add(ResultTables.comparison(result, comparisons)));
        tables.add(ResultTables.resolution(result));
        return tables;
    }

    private static List<String> kneeLines(ExperimentResult result) {
        List<String> lines = new ArrayList<>();
        result.ascents().ifPresent(ascents -> ascents.ascents()
                .forEach(ascent -> lines.add(
                        (ascent.others().isEmpty() ? "" : ascent.others() + ": ") + ascent.kneeText(ascents.axis()))));
        return lines;
    }
}
