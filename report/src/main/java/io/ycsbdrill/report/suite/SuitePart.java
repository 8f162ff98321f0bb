package io.ycsbdrill.report.suite;

import io.ycsbdrill.report.experiment.CellRow;
import io.ycsbdrill.report.experiment.ClaimRow;
import io.ycsbdrill.report.experiment.DrillTable;
import io.ycsbdrill.report.experiment.ExperimentData;
import io.ycsbdrill.report.experiment.Gains;
import io.ycsbdrill.report.page.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An experiment of a suite and its claims. Immutable.
 *
 * @param begun whether there are results
 * @param cells how many it has; 0 when it was not begun
 * @param missing how many cells were not run yet; 1 when it was not begun, 0 when it need not be, as nothing that it claims can be measured
 * @param ended when its last cell had ended; empty when none has
 * @param spent what its cells have taken
 * @param tables beside that of the claims: what drills have shown; gains of the later levels of an axis, when they are asked for
 */
record SuitePart(
        String id,
        boolean begun,
        long cells,
        long counting,
        long missing,
        Optional<Instant> ended,
        TimeSpent spent,
        List<ClaimRow> claims,
        List<Table> tables) {

    static SuitePart run(String id, ExperimentData data) {
        return new SuitePart(
                id,
                true,
                data.rows().size(),
                data.counting(),
                data.rows().stream()
                        .filter(row -> row.state().equals(CellRow.MISSING))
                        .count(),
                data.rows().stream()
                        .filter(row -> !row.startedAt().isEmpty())
                        .map(SuitePart::ended)
                        .max(Comparator.naturalOrder()),
                TimeSpent.of(data.rows()),
                ClaimRow.of(data),
                Stream.concat(DrillTable.of(data).stream(), Gains.of(data).stream())
                        .toList());
    }

    private static Instant ended(CellRow row) {
        return Instant.parse(row.startedAt()).plus(Duration.ofMillis(Math.round(row.seconds() * 1000)));
    }

    static SuitePart notRun(SuiteData.Part part) {
        boolean leftOut = !part.claims().isEmpty()
                && part.claims().stream().allMatch(claim -> claim.notMeasured().isPresent());
        return new SuitePart(
                part.id(),
                false,
                0,
                0,
                leftOut ? 0 : 1,
                Optional.empty(),
                TimeSpent.NONE,
                part.claims().stream().map(ClaimRow::notRun).toList(),
                List.of());
    }

    /** {@code 17 of 18 cells count}. */
    String cellsText() {
        return begun ? counting + " of " + cells + " cells count" : "not run";
    }
}
