package io.ycsbdrill.report.suite;

import io.ycsbdrill.report.experiment.ClaimRow;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.page.TableText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code suite.html}, the model of its template, and the same as Markdown. */
record SuitePage(SuiteData data, List<SuitePart> parts) {
    static final String CAUTION = "Figures of this engine on this machine, not of the source's system: absolute figures"
            + " are shown and never judged, and nothing here says that one system is better than another.";

    /** One table for each experiment that claims something. */
    List<Table> tables() {
        return parts.stream()
                .filter(part -> !part.claims().isEmpty())
                .map(this::table)
                .toList();
    }

    Table table(SuitePart part) {
        return ClaimRow.table(part.id() + ": " + data.banner(), part.claims());
    }

    /** The tables of an experiment beside that of its claims. */
    List<Table> beside(SuitePart part) {
        return part.tables().stream()
                .map(table -> new Table(table.caption() + " (" + data.banner() + ")", table.headers(), table.rows()))
                .toList();
    }

    /** {@code 3 reproduced, 1 not reproduced, 4 not comparable, 0 not measured}. */
    String countText() {
        return ClaimRow.countText(claims());
    }

    private List<ClaimRow> claims() {
        return parts.stream().flatMap(part -> part.claims().stream()).toList();
    }

    /** Whether it claims something, and nothing can be said of it. */
    boolean nothingJudged() {
        return !claims().isEmpty() && !ClaimRow.judged(claims());
    }

    /** When and by what it was made; one that was interrupted and continued took as long as it says, the pause included. */
    String madeText() {
        return data.tool() + data.file().map(hash -> ", suite file " + hash).orElse("") + ", begun "
                + data.createdAt().replaceFirst("\\.\\d+Z$", "Z").replace('T', ' ')
                + ended().map(this::tookText).orElse("") + spentText();
    }

    private String spentText() {
        String spent = parts.stream()
                .map(SuitePart::spent)
                .reduce(TimeSpent.NONE, TimeSpent::plus)
                .text();
        return spent.isEmpty() ? "" : ", " + spent;
    }

    private Optional<Instant> ended() {
        return parts.stream().flatMap(part -> part.ended().stream()).max(Comparator.naturalOrder());
    }

    private String tookText(Instant ended) {
        long seconds = Duration.between(Instant.parse(data.createdAt()), ended).toSeconds();
        return ", last cell ended after " + seconds / 60 + " min " + seconds % 60 + " s";
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("### " + TableText.escaped(data.name()) + "\n\n");
        text.append(TableText.escaped(data.title()) + ". " + TableText.escaped(data.source()) + ": <" + data.url()
                + ">\n\n");
        text.append(
                TableText.escaped(data.banner()) + ". " + countText() + ". " + TableText.escaped(madeText()) + ".\n\n");
        for (SuitePart part : parts) {
            if (!part.claims().isEmpty()) {
                text.append(TableText.markdown(table(part))).append('\n');
            }
            beside(part).forEach(table -> text.append(TableText.markdown(table)).append('\n'));
        }
        if (!data.notes().isEmpty()) {
            text.append("**What the source leaves open, and what differs here**\n\n");
            data.notes().forEach(note -> text.append("- " + TableText.escaped(note) + "\n"));
        }
        return text.toString();
    }
}
