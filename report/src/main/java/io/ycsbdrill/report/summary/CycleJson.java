package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.metric.Cycle;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.summary.CycleFigure.Range;
import java.util.Locale;

/** The cycles of a repeated drill in {@code summary.json}; a bound that is not known is left out. */
final class CycleJson {
    static ObjectNode of(DrillMetrics metrics) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode cycles = node.putArray("cycles");
        for (Cycle cycle : metrics.cycles()) {
            ObjectNode item = cycles.addObject();
            item.put("number", cycle.number()).put("null", cycle.isNull()).put("title", cycle.title());
            item.put("startSeconds", DrillJson.rounded(cycle.startSeconds()));
            item.put("endSeconds", DrillJson.rounded(cycle.endSeconds()));
            item.set("metrics", DrillJson.measures(cycle.metrics().overall()));
            cycle.losses().ifPresent(losses -> {
                item.set("ackedLost", DrillJson.measure(losses.ackedLost()));
                item.set("rpoSeconds", DrillJson.measure(losses.rpo()));
            });
        }
        ObjectNode figures = node.putObject("figures");
        CycleFigures.of(metrics).forEach(figure -> figures.set(figure.key(), figure(figure)));
        return node;
    }

    private static ObjectNode figure(CycleFigure figure) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("n", figure.n()).put("unit", figure.unit().symbol());
        if (figure.n() > 0) {
            range(node, "median", figure.median());
            put(node, "min", figure.least());
            put(node, "max", figure.most());
            figure.interval().ifPresent(interval -> {
                put(node, "intervalLow", interval.from());
                put(node, "intervalHigh", interval.to());
            });
            figure.noise().ifPresent(noise -> put(node, "worstNullCycle", noise));
            node.put("effect", figure.effect().name().toLowerCase(Locale.ROOT).replace('_', ' '));
            figure.trend().ifPresent(trend -> trend(node.putObject("trend"), trend));
        }
        return node;
    }

    /** One number when it is known exactly; else the least that it may be. */
    private static void range(ObjectNode node, String name, Range range) {
        put(node, range.from() == range.to() ? name : name + "AtLeast", range.from());
    }

    private static void trend(ObjectNode node, Estimate slope) {
        put(node, "perCycle", slope.value());
        if (slope.hasInterval()) {
            put(node, "low", slope.low());
            put(node, "high", slope.high());
        }
    }

    private static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, DrillJson.rounded(value));
        }
    }
}
