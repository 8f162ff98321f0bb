package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import io.ycsbdrill.client.session.PropertyReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** How fast operations arrive, whatever the database does; a picocli mixin. */
final class PaceOptions {
    @Option(
            names = "-target",
            paramLabel = "OPS",
            description =
                    "Arrivals per second, all threads together; 0 = as fast as possible (default: property target).")
    private String target;

    @Option(
            names = "--rate",
            paramLabel = "PLAN",
            description = "Arrivals per second over time: 1000@0s,5000@60s (steps) or 1000..5000@0s-60s (ramp).")
    private String rate;

    @Option(
            names = "--after-stall",
            paramLabel = "POLICY",
            defaultValue = "catchup",
            description = "With a rate: catchup runs every late arrival, skip drops and counts them, cap[:N] keeps the"
                    + " newest N (default: ${DEFAULT-VALUE}).")
    private String afterStall;

    /** Puts the stock option into the properties, as stock does. */
    void set(Properties properties) {
        if (target != null) {
            properties.setProperty("target", target);
        }
    }

    /** The arrivals; empty without a rate. */
    Optional<RatePlan> plan(PropertyReader read, Problems problems) {
        double constant = read.number("target", 0, 0, 1e12);
        List<Segment> segments = List.of();
        if (rate != null) {
            if (constant > 0) {
                problems.add("--rate " + rate + " and the target " + constant + " exclude each other");
            }
            try {
                segments = RateSyntax.parse(rate);
            } catch (IllegalArgumentException e) {
                problems.add("--rate: " + e.getMessage());
            }
        } else if (constant > 0) {
            segments = RateSyntax.constant(constant);
        }
        Optional<AfterStall> policy = policy(problems);
        if (segments.isEmpty() || policy.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new RatePlan(segments, policy.get(), cap(segments, policy.get(), problems)));
    }

    private Optional<AfterStall> policy(Problems problems) {
        List<String> names = List.of("catchup", "skip", "cap");
        String name = afterStall.startsWith("cap:") ? "cap" : afterStall;
        if (!names.contains(name)) {
            problems.add("--after-stall " + afterStall + " is not one of catchup, skip, cap or cap:N"
                    + NearestName.hint(afterStall, names));
            return Optional.empty();
        }
        return Optional.of(AfterStall.valueOf(name.toUpperCase(Locale.ROOT)));
    }

    private long cap(List<Segment> segments, AfterStall policy, Problems problems) {
        if (policy != AfterStall.CAP) {
            return 0;
        }
        double highest = segments.stream()
                .mapToDouble(s -> Math.max(s.fromRate(), s.toRate()))
                .max()
                .orElse(1);
        String given = afterStall.startsWith("cap:") ? afterStall.substring("cap:".length()) : null;
        return PropertyReader.option(
                "--after-stall cap:", given, (long) Math.ceil(highest), 1, Long.MAX_VALUE, problems);
    }
}
