package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.NumberText;

/** Which load a run had, in words. */
public final class LoadText {
    private LoadText() {}

    /** From {@code run.json}; empty for a run of an earlier version, which does not say. */
    public static String of(JsonNode run) {
        JsonNode load = run.path("load");
        return switch (load.path("kind").asText("")) {
            case "max" -> "load max (closed loop)";
            case "rate" ->
                load.path("rate").isNumber()
                        ? "load " + rate(load.path("rate").asDouble())
                        : "load by a schedule of rates";
            case "share" -> share(load);
            default -> "";
        };
    }

    private static String share(JsonNode load) {
        String share = "load " + NumberText.plain(100 * load.path("share").asDouble()) + " % of the maximum";
        if (!load.path("measuredMaximum").isNumber()) {
            return share + ", which was never measured";
        }
        return share + " of " + rate(load.path("measuredMaximum").asDouble())
                + (load.path("scatter").isNumber()
                        ? Formatted.of(
                                " \u00b1 %.1f %%", 100 * load.path("scatter").asDouble())
                        : "")
                + " = " + rate(load.path("rate").asDouble());
    }

    private static String rate(double perSecond) {
        return Formatted.of(perSecond < 10 ? "%.2f/s" : "%,.0f/s", perSecond);
    }
}
