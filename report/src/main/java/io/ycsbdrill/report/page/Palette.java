package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Phase;

/** Colours that people with any kind of colour vision can distinguish (Okabe and Ito, 2008); the same in page and pictures. */
public final class Palette {
    static final String BLUE = "#0072B2";
    static final String SKY = "#56B4E9";
    static final String GREEN = "#009E73";
    static final String ORANGE = "#E69F00";
    static final String VERMILLION = "#D55E00";
    static final String PURPLE = "#CC79A7";
    /** Phases are shaded at this opacity, and labelled: nothing is shown by colour alone. */
    public static final double SHADE = 0.2;

    private Palette() {}

    /** The colour of a phase; purple for one that this program does not know. */
    static String phase(String label) {
        return Phase.labelled(label).map(Phase::colour).orElse(PURPLE);
    }
}
