package io.ycsbdrill.experiment.run;

import java.util.Locale;

/** How a cell was given its cluster and its table. */
enum Prepared {
    /** The cluster was started for it. */
    STARTED,
    /** Its table was loaded for it, on a cluster that earlier cells have used. */
    LOADED,
    /** It has the cluster and the table of an earlier cell. */
    KEPT;

    /** In {@code cell.json}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
