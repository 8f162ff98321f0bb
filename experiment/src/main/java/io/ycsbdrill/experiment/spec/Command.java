package io.ycsbdrill.experiment.spec;

import java.util.Locale;

/** What every cell of an experiment is, unless a level of an axis is a whole command line. */
public enum Command {
    RUN,
    LOAD,
    DRILL;

    /** As typed: {@code run}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
