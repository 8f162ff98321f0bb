package io.ycsbdrill.report.suite;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.experiment.CellFigures;
import io.ycsbdrill.report.experiment.CellRow;
import java.util.List;

/**
 * What the time of cells was for, in seconds. Immutable.
 *
 * @param load operations were under way, warm-up included
 * @param clusters for their clusters and tables; NaN when a cell does not tell, as one of an earlier version
 * @param others starts and ends of their processes, audits, reports
 */
record TimeSpent(double load, double clusters, double others) {
    static final TimeSpent NONE = new TimeSpent(0, 0, 0);

    static TimeSpent of(List<CellRow> cells) {
        TimeSpent sum = NONE;
        for (CellRow cell : cells) {
            if (cell.seconds() > 0) {
                double load = Math.min(cell.seconds(), cell.values().getOrDefault(CellFigures.RUN, 0.0));
                double cluster = cell.values().getOrDefault(CellFigures.CLUSTER, Double.NaN);
                sum = sum.plus(new TimeSpent(load, cluster, cell.seconds() - load));
            }
        }
        return sum;
    }

    TimeSpent plus(TimeSpent more) {
        return new TimeSpent(load + more.load, clusters + more.clusters, others + more.others);
    }

    /** {@code in cells 21 min 5 s: 68 % under load, 20 % for clusters and tables, 12 % for starts and ends of cells}; empty when that is not known. */
    String text() {
        double all = load + clusters + others;
        return Double.isNaN(all) || all == 0
                ? ""
                : Formatted.of(
                        "in cells %d min %d s: %.0f %% under load, %.0f %% for clusters and tables, %.0f %% for starts and ends of cells",
                        Math.round(all) / 60,
                        Math.round(all) % 60,
                        100 * load / all,
                        100 * clusters / all,
                        100 * others / all);
    }
}
