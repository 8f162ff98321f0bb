package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.Latency;
import io.ycsbdrill.rundir.Percentiles;
import java.util.List;
import java.util.Map;

/** {@code experiment.json}; what was not measured is left out, never 0. docs/experiments.md describes it. Stateless. */
public final class ExperimentJson {
    private ExperimentJson() {}

    static String of(ExperimentResult result) {
        PlanData plan = result.plan();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("schema", 1).put("kind", plan.kind()).put("name", plan.name()).put("command", plan.command());
        json.put("tool", plan.tool()).put("createdAt", plan.createdAt());
        json.put("order", plan.order()).put("repeats", plan.repeats()).put("seed", plan.seed());
        ObjectNode cells = json.putObject("cells");
        cells.put("planned", result.data().rows().size())
                .put("counting", result.data().counting());
        cells.put(
                "na",
                result.data().rows().stream()
                        .filter(row -> row.state().equals(CellRow.NA))
                        .count());
        json.put("reference", plan.reference().number());
        ArrayNode variants = json.putArray("variants");
        plan.variants().forEach(variant -> variant(result, variant, variants.addObject()));
        ArrayNode figures = json.putArray("figures");
        result.comparisons().forEach(comparison -> figure(comparison, figures.addObject()));
        result.ascents().ifPresent(ascents -> {
            ArrayNode all = json.putArray("ascents");
            ascents.ascents().forEach(ascent -> ascent(ascents.axis(), ascent, all.addObject()));
        });
        if (!result.claims().isEmpty()) {
            claims(result.claims(), json.putArray("claims"));
        }
        ArrayNode cautions = json.putArray("cautions");
        result.cautions().forEach(cautions::add);
        return json.toPrettyString() + "\n";
    }

    private static void variant(ExperimentResult result, PlanData.Variant variant, ObjectNode json) {
        json.put("number", variant.number());
        ObjectNode levels = json.putObject("levels");
        variant.levels().forEach(levels::put);
        json.put("command", variant.command());
        boolean counts = result.data().counts(variant.number());
        json.put("counts", counts);
        if (!counts) {
            json.put("reason", result.data().reason(variant.number()));
        }
        ObjectNode merged = json.putObject("mergedMicros");
        result.merged()
                .byVariant()
                .getOrDefault(variant.number(), Map.of())
                .forEach((key, value) -> merged.set(key, percentiles(value)));
    }

    private static ObjectNode percentiles(Percentiles value) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        for (Latency latency : Latency.values()) {
            put(json, latency.label(), value.get(latency));
        }
        return json;
    }

    private static void figure(Comparisons comparisons, ObjectNode json) {
        json.put("column", comparisons.figure().column());
        String column = comparisons.figure().column();
        if (!ExperimentData.neitherIsBetter(column)) {
            json.put("moreIsBetter", ExperimentData.moreIsBetter(column));
        }
        if (comparisons.floor().n() > 0) {
            json.putObject("noiseFloor")
                    .put("ratio", rounded(comparisons.floor().ratio()))
                    .put("pairs", comparisons.floor().n());
        }
        ArrayNode rows = json.putArray("variants");
        comparisons.rows().forEach(row -> {
            ObjectNode one = rows.addObject().put("variant", row.variant().number());
            one.set("median", estimate(row.median()));
            row.merged().ifPresent(value -> put(one, "merged", value));
            row.ratio().ifPresent(ratio -> one.set("ratio", estimate(ratio)));
            row.comparison().ifPresent(comparison -> one.put("comparison", comparison.label()));
            row.incomparable().ifPresent(reason -> one.put("notComparable", reason));
            row.detectable().ifPresent(ratio -> put(one, "detectableRatio", ratio));
        });
    }

    private static ObjectNode estimate(Estimate estimate) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        put(json, "value", estimate.value());
        put(json, "low", estimate.low());
        put(json, "high", estimate.high());
        return json.put("n", estimate.n());
    }

    /** Claims beside what was measured. */
    public static void claims(List<ClaimRow> rows, ArrayNode array) {
        rows.forEach(row -> {
            ObjectNode one = Json.READER.valueToTree(row.claim());
            array.add(one);
            if (!Double.isNaN(row.measured().value())) {
                one.set("measured", estimate(row.measured()));
            }
            one.put("result", row.verdict().word().label());
            if (!row.verdict().reason().isEmpty()) {
                one.put("reason", row.verdict().reason());
            }
        });
    }

    private static void ascent(String axis, Ascents.Ascent ascent, ObjectNode json) {
        json.put("axis", axis).put("others", ascent.others());
        ascent.knee()
                .ifPresent(level -> json.put("knee", level.variant().levels().get(axis)));
        ArrayNode levels = json.putArray("levels");
        ascent.levels().forEach(level -> {
            ObjectNode one = levels.addObject()
                    .put("level", level.variant().levels().get(axis))
                    .put("counts", level.counts());
            if (!level.counts()) {
                one.put("reason", level.reason());
            }
            put(one, "throughputOpsPerSecond", level.throughput());
            put(one, "concurrency", level.concurrency());
            put(one, "threads", level.threads());
            put(one, "power", level.power());
            if (!level.mark().isEmpty()) {
                one.put("mark", level.mark());
            }
        });
    }

    private static void put(ObjectNode json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, rounded(value));
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 1e6) / 1e6;
    }
}
