package io.ycsbdrill.report.data;

import java.util.List;

/** The phases of a recovery and the short names that the literature has for some of them. */
public final class PhaseNames {
    static final String STEADY = "steady";
    public static final String RECOVERED = "recovered";

    /** In the order in which they happen. */
    public static final List<String> DURING =
            List.of("fault", "failure-handling", "down", "local-recovery", "synchronise", "wait-checkpoint");

    private PhaseNames() {}

    /** {@code LRS}, {@code SS}, {@code WLCP}, or empty. */
    public static String stage(String phase) {
        return switch (phase) {
            case "local-recovery" -> "LRS";
            case "synchronise" -> "SS";
            case "wait-checkpoint" -> "WLCP";
            default -> "";
        };
    }

    /** The number at whose line a stage ends in charts: 1, 2, 3; empty for other phases. */
    public static String endNumber(String phase) {
        return switch (phase) {
            case "local-recovery" -> "1";
            case "synchronise" -> "2";
            case "wait-checkpoint" -> "3";
            default -> "";
        };
    }

    static String phaseOf(String phaseOrStage) {
        return switch (phaseOrStage) {
            case "LRS" -> "local-recovery";
            case "SS" -> "synchronise";
            case "WLCP" -> "wait-checkpoint";
            default -> phaseOrStage;
        };
    }

    /** Short enough for a label inside a chart. */
    public static String brief(String phase) {
        String stage = stage(phase);
        if (!stage.isEmpty()) {
            return stage;
        }
        return phase.equals("failure-handling") ? "handling" : phase;
    }
}
