package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.page.TableText;
import io.ycsbdrill.report.stat.Comparison;
import java.util.ArrayList;
import java.util.List;

/** A comparison as text. */
final class PairedText {
    static final List<String> HEADER =
            List.of("figure", "A", "B", "B relative to A [95 %]", "A/A", "detectable", "B is");

    static String terminal(PairedComparison comparison) {
        StringBuilder text = new StringBuilder();
        text.append("A: " + comparison.a() + "\nB: " + comparison.b() + "\n");
        text.append(comparison.complete() + " of " + comparison.planned() + " pairs\n");
        List<List<String>> rows = new ArrayList<>(comparison.figures().isEmpty() ? List.of() : List.of(HEADER));
        comparison.figures().forEach(figure -> rows.add(row(figure, figure.outcomeText())));
        text.append(TableText.columns(rows, column -> column > 0 && column < HEADER.size() - 1));
        text.append(comparison.summary()).append('\n');
        comparison.notes().forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    static String markdown(PairedComparison comparison) {
        StringBuilder text = new StringBuilder();
        text.append("**A**: ").append(escaped(comparison.a())).append("  \n");
        text.append("**B**: ").append(escaped(comparison.b())).append("\n\n");
        text.append("**").append(escaped(comparison.conclusion())).append("** ");
        text.append(comparison.summary()).append(" ");
        text.append(comparison.complete() + " of " + comparison.planned() + " pairs.\n\n");
        text.append("| ").append(String.join(" | ", HEADER)).append(" |\n|---|--:|--:|--:|--:|--:|---|\n");
        comparison.figures().forEach(figure -> {
            boolean different = figure.outcome()
                    .filter(is -> is != Comparison.NOT_DISTINGUISHABLE)
                    .isPresent();
            String outcome = escaped(figure.outcomeText());
            text.append("| ")
                    .append(String.join(" | ", row(figure, different ? "**" + outcome + "**" : outcome)))
                    .append(" |\n");
        });
        text.append('\n');
        comparison
                .notes()
                .forEach(note -> text.append("- ").append(escaped(note)).append('\n'));
        text.append(
                "- *A/A* is by how much A differed from itself; *detectable* is the smallest true difference that this"
                        + " experiment would have found in 4 of 5 cases.\n");
        return text.toString();
    }

    static List<String> row(FigureComparison figure, String outcome) {
        return List.of(
                figure.figure().title() + " (" + figure.figure().unit() + ")",
                figure.aText(),
                figure.bText(),
                figure.effectText(),
                figure.floorText(),
                figure.detectableText(),
                outcome);
    }

    /** Text of commands and reasons, which must not become mark-up. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\`*_{}\\[\\]<>#|~])", "\\\\$1").replaceAll("\\s+", " ");
    }
}
