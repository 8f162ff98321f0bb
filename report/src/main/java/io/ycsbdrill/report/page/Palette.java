package io.ycsbdrill.report.page;

import java.util.Map;

/** Colours that people with any kind of colour vision tell apart (Okabe and Ito, 2008); the same in page and pictures. */
public final class Palette {
    static final String BLUE = "#0072B2";
    static final String SKY = "#56B4E9";
    static final String GREEN = "#009E73";
    static final String ORANGE = "#E69F00";
    static final String VERMILLION = "#D55E00";
    static final String PURPLE = "#CC79A7";
    static final String YELLOW = "#F0E442";
    static final String GREY = "#7F7F7F";

    /** Phases are shaded with these at {@link #SHADE} opacity, and labelled: nothing is told by colour alone. */
    static final Map<String, String> PHASES = Map.of(
            "fault", YELLOW,
            "failure-handling", VERMILLION,
            "down", GREY,
            "local-recovery", ORANGE,
            "synchronise", SKY,
            "wait-checkpoint", GREEN);

    public static final double SHADE = 0.2;

    private Palette() {}

    static String phase(String phase) {
        return PHASES.getOrDefault(phase, PURPLE);
    }
}
