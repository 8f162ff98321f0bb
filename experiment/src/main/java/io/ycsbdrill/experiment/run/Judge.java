package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.experiment.spec.Success;
import io.ycsbdrill.report.experiment.CellFigures;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Decides whether a cell counts. */
record Judge(Success rule) {
    private static final int LIMIT_MISSED = 3;

    /** The exit code of a drill none of whose limits applies, and of much else. */
    private static final int NOT_JUDGED = 1;

    /** A run that ends after a time ends with the next call. */
    private static final double RESOLUTION_SECONDS = 0.1;

    /**
     * Why the figures of a cell do not count; empty when they do.
     *
     * @param output what its command printed
     */
    Optional<String> objection(int exitCode, Path run, Path output) {
        try {
            CellFigures figures = CellFigures.read(run);
            boolean measured =
                    figures.drill() && (exitCode == LIMIT_MISSED || exitCode == NOT_JUDGED && figures.judgedNothing());
            if (exitCode != 0 && !measured) {
                return Optional.of("exit code " + exitCode + lastError(output));
            }
            if (!figures.complete()) {
                return Optional.of("the run is " + figures.state() + ": " + String.join("; ", figures.reasons()));
            }
            Double share = figures.values().get(CellFigures.OK_SHARE);
            if (share == null) {
                return Optional.of("no operation has ended");
            }
            if (share < rule.okShare()) {
                return Optional.of(
                        percent(share) + " of the operations succeeded, " + percent(rule.okShare()) + " are required");
            }
            return rate(figures).or(() -> tooShort(figures)).or(() -> uncertain(figures));
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Optional<String> rate(CellFigures figures) {
        Double offered = figures.values().get(CellFigures.OFFERED);
        // Runs of earlier versions do not say how many transactions there were.
        Double reached = figures.values()
                .getOrDefault(CellFigures.TRANSACTIONS, figures.values().get(CellFigures.THROUGHPUT));
        if (offered == null || reached == null || reached >= offered * rule.rateHeld()) {
            return Optional.empty();
        }
        return Optional.of(Formatted.of(
                "the rate was not held: %.0f of %.0f per second, %s are required",
                reached, offered, percent(rule.rateHeld())));
    }

    /** How long a drill has to be its faults decide. */
    private Optional<String> tooShort(CellFigures figures) {
        double least = rule.measured().toMillis() / 1e3;
        double measured = figures.values().getOrDefault(CellFigures.MEASURED, 0.0);
        return figures.drill() || measured >= least - RESOLUTION_SECONDS
                ? Optional.empty()
                : Optional.of(Formatted.of(
                        "only %.1f s were measured after the warm-up, %s s are required",
                        measured,
                        BigDecimal.valueOf(rule.measured().toMillis(), 3)
                                .stripTrailingZeros()
                                .toPlainString()));
    }

    /** What is a share of a maximum that nobody knows is no load to compare at. */
    private static Optional<String> uncertain(CellFigures figures) {
        return figures.doubt().isEmpty()
                ? Optional.empty()
                : Optional.of("the maximum that its load is a share of is uncertain: " + figures.doubt()
                        + "; a longer duration or load.calibration measures it better");
    }

    /** Never rounded up to the whole: 99.9999 % is not 100 %. */
    private static String percent(double share) {
        String text = Formatted.of("%.4f", Math.floor(share * 1e6) / 1e4);
        return text.replaceFirst("\\.?0+$", "") + " %";
    }

    private static String lastError(Path output) {
        return Io.or("", () -> new String(Files.readAllBytes(output), StandardCharsets.UTF_8))
                .lines()
                .filter(line -> line.startsWith("error: "))
                .reduce((first, last) -> last)
                .map(line -> ": " + line.substring("error: ".length()))
                .orElse("");
    }
}
