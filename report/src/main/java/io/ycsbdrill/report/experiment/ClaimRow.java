package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.claim.Claim.Kind;
import io.ycsbdrill.report.claim.ClaimNumber;
import io.ycsbdrill.report.claim.ClaimVerdict;
import io.ycsbdrill.report.claim.ClaimWord;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.NoiseFloor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A claim beside what was measured. Immutable.
 *
 * @param measured without value when there is none
 */
public record ClaimRow(Claim claim, Estimate measured, ClaimVerdict verdict) {

    /** A claim whose experiment was not run. */
    public static ClaimRow notRun(Claim claim) {
        return missing(claim, claim.notMeasured().orElse("its experiment was not run"));
    }

    private static ClaimRow missing(Claim claim, String reason) {
        return new ClaimRow(claim, Estimate.withoutInterval(Double.NaN, 0), ClaimVerdict.notMeasured(reason));
    }

    /** All claims of an experiment. */
    public static List<ClaimRow> of(ExperimentData data) {
        return data.plan().claims().stream().map(claim -> of(data, claim)).toList();
    }

    private static ClaimRow of(ExperimentData data, Claim claim) {
        if (claim.notMeasured().isPresent() || claim.figure().isEmpty()) {
            return missing(claim, claim.notMeasured().orElse("no figure of the experiment says it"));
        }
        String figure = claim.figure().get();
        Optional<PlanData.Variant> of = variant(data, claim.of());
        Map<String, String> other = new HashMap<>(claim.of());
        other.putAll(claim.to());
        Optional<PlanData.Variant> to = variant(data, other);
        if (of.isEmpty() || to.isEmpty()) {
            return missing(claim, "the experiment has no such variant");
        }
        for (PlanData.Variant each : List.of(of.get(), to.get())) {
            if (!data.counts(each.number())) {
                return missing(claim, each.title() + ": " + data.reason(each.number()));
            }
        }
        Estimate measured = claim.compares()
                ? data.ratio(data.pairs(to.get().number(), of.get().number(), figure))
                : alone(data, claim, of.get().number(), figure);
        if (Double.isNaN(measured.value())) {
            return missing(claim, figure + " is lacking or 0 in a repeat");
        }
        Optional<String> shared = SharedCores.of(data, of.get(), to.get());
        if (shared.isPresent() && claim.notComparable().isEmpty()) {
            return new ClaimRow(claim, measured, ClaimVerdict.notComparable(shared.get()));
        }
        NoiseFloor floor = data.floor(figure);
        ClaimVerdict verdict = ClaimVerdict.of(claim, measured, floor.ratio());
        boolean unsure = claim.compares() && claim.kind() == Kind.SHAPE && floor.n() == 0;
        return new ClaimRow(
                claim,
                measured,
                unsure && verdict.word().decides() ? ClaimVerdict.notComparable("noise floor not measured") : verdict);
    }

    private static Optional<PlanData.Variant> variant(ExperimentData data, Map<String, String> levels) {
        return data.plan().variants().stream()
                .filter(variant -> variant.levels().entrySet().containsAll(levels.entrySet()))
                .findFirst();
    }

    /** The median of what is only shown; what is judged has an interval from three repeats on. */
    private static Estimate alone(ExperimentData data, Claim claim, int variant, String figure) {
        if (claim.kind() == Kind.ABSOLUTE) {
            return data.median(variant, figure);
        }
        double[] values = data.pairs(variant, variant, figure).first();
        double[] ones = new double[values.length];
        Arrays.fill(ones, 1);
        return data.ratio(new ExperimentData.Pairs(ones, values))
                .atMost(Figure.of(figure).most());
    }

    /** What the source states: {@code 1.27}, {@code 0.82 to 0.91}, {@code > 1}; nothing where it states no figure. */
    public String claimedText() {
        return claim.claimed()
                .map(this::range)
                .or(() -> claim.expect().map(Claim.Expect::text))
                .orElse("");
    }

    /** {@code 109 / 168 = 0.649}, {@code 8 / 9 to 3 / 2 = 0.889 to 1.5}. */
    public String recomputedText() {
        return claim.recomputed()
                .map(text -> text + " = " + range(claim.recomputedRange().orElseThrow()))
                .orElse("");
    }

    private String range(Claim.Range range) {
        return range.low() == range.high() ? number(range.low()) : number(range.low()) + " to " + number(range.high());
    }

    /** {@code 0.91 (0.85 to 0.97)}. */
    public String measuredText() {
        if (Double.isNaN(measured.value())) {
            return NumberText.ABSENT;
        }
        return number(measured.value())
                + (measured.hasInterval()
                        ? " (" + number(measured.low()) + " to " + number(measured.high()) + ")"
                        : " (no interval, n=" + measured.n() + ")");
    }

    private String number(double value) {
        if (claim.compares() || claim.figure().isEmpty() || claim.figure().get().contains(" / ")) {
            return ClaimNumber.text(value);
        }
        Figure figure = Figure.of(claim.figure().get());
        return ClaimNumber.text(figure.shown(value)) + (figure.unit().isEmpty() ? "" : " " + figure.unit());
    }

    /** What it is about: {@code throughput_ops_s of threads=4 to threads=1}. */
    public String aboutText() {
        return claim.figure()
                .map(figure -> figure
                        + (claim.of().isEmpty() ? "" : " of " + levels(claim.of()))
                        + (claim.compares() ? " to " + levels(claim.to()) : ""))
                .orElse("");
    }

    private static String levels(Map<String, String> levels) {
        return levels.entrySet().stream()
                .map(level -> level.getKey() + "=" + level.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * {@code 3 reproduced, 1 not reproduced, 4 not comparable, 0 not measured}; also says so when nothing was judged, which is no
     * success.
     */
    public static String countText(List<ClaimRow> rows) {
        List<String> counts = new ArrayList<>();
        for (ClaimWord word : ClaimWord.values()) {
            counts.add(rows.stream().filter(row -> row.verdict().word() == word).count() + " " + word.label());
        }
        return String.join(", ", counts) + (judged(rows) || rows.isEmpty() ? "" : ": no claim could be judged");
    }

    /** Whether anything can be said of at least one claim. */
    public static boolean judged(List<ClaimRow> rows) {
        return rows.stream().anyMatch(row -> row.verdict().word().decides());
    }

    /** The same table everywhere, with what was judged first. */
    public static Table table(String caption, List<ClaimRow> rows) {
        return new Table(
                caption,
                List.of(
                        "Claim",
                        "In the source's words",
                        "Kind",
                        "Figure",
                        "Claimed",
                        "Recomputed",
                        "Measured",
                        "Result"),
                rows.stream()
                        .sorted(Comparator.comparing(row -> row.verdict().word()))
                        .map(row -> List.of(
                                row.claim().id(),
                                row.claim().quote(),
                                row.claim().kind().word(),
                                row.aboutText(),
                                row.claimedText(),
                                row.recomputedText(),
                                row.measuredText(),
                                row.verdict().text()))
                        .toList());
    }
}
