package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.drill.DrillLoad;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import io.ycsbdrill.client.run.pace.RateSyntax;
import io.ycsbdrill.client.session.PropertyReader;
import io.ycsbdrill.fault.schedule.OfferedLoad;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** How fast operations arrive, whatever the database does; a picocli mixin. */
public final class PaceOptions {
    private static final String CALIBRATION = "load.calibration";

    @Option(
            names = "-target",
            paramLabel = "OPS",
            description =
                    "Arrivals per second, all threads together; 0 = as fast as possible (default: property target).")
    private String target;

    @Option(
            names = "--rate",
            paramLabel = "PLAN",
            description =
                    "Arrivals per second over time: 1000@0s,5000@60s (steps) or 1000..5000@0s-60s (ramp); or 60%%, a"
                            + " share of the maximum that a calibration of 25s measures first; or max, a closed loop.")
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

    /** What the user has said about the load beside the drill file, as typed; empty when nothing. */
    Optional<String> given(Properties properties) {
        return rate != null
                ? Optional.of("--rate " + rate)
                : Optional.ofNullable(target != null ? target : properties.getProperty("target"))
                        .map(ops -> "the target " + ops);
    }

    /**
     * Sets rate or calibration of the run: as said here, else as the drill file says.
     *
     * @param drill empty without a drill
     */
    void set(RunSpec.Builder spec, PropertyReader read, Optional<OfferedLoad> drill, Problems problems) {
        double constant = read.number("target", 0, 0, 1e12);
        if (rate != null && constant > 0) {
            problems.add("--rate " + rate + " and the target " + constant + " exclude each other");
        }
        Optional<Duration> calibration = calibration(spec.properties(), problems);
        Optional<AfterStall> policy = policy(problems);
        if (policy.isEmpty()) {
            return;
        }
        try {
            if (rate != null && !rate.endsWith("%") && !rate.equals("max")) {
                set(spec, RateSyntax.parse(rate), policy.get(), problems);
            } else if (rate != null) {
                set(spec, OfferedLoad.parse(rate), policy.get(), calibration, problems);
            } else if (constant > 0) {
                set(spec, RateSyntax.constant(constant), policy.get(), problems);
            } else if (drill.isPresent() && given(spec.properties()).isEmpty()) {
                set(spec, drill.get(), policy.get(), calibration, problems);
            }
        } catch (IllegalArgumentException e) {
            problems.add("--rate: " + e.getMessage());
        }
    }

    private void set(RunSpec.Builder spec, List<Segment> segments, AfterStall policy, Problems problems) {
        double highest = segments.stream()
                .mapToDouble(s -> Math.max(s.fromRate(), s.toRate()))
                .max()
                .orElse(1);
        spec.rate(Optional.of(new RatePlan(segments, policy, cap((long) Math.ceil(highest), policy, problems))));
    }

    private void set(
            RunSpec.Builder spec,
            OfferedLoad load,
            AfterStall policy,
            Optional<Duration> calibration,
            Problems problems) {
        new DrillLoad(policy, cap(0, policy, problems), calibration).set(load, spec);
    }

    /** The length of a calibration that a property asks for. */
    public static Optional<Duration> calibration(Properties properties, Problems problems) {
        try {
            return Optional.ofNullable(properties.getProperty(CALIBRATION))
                    .map(text -> Durations.parse(text, Calibration.SHORTEST, Calibration.LONGEST));
        } catch (IllegalArgumentException e) {
            problems.add(CALIBRATION + ": " + e.getMessage());
            return Optional.empty();
        }
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

    /** @param absent one second's worth of the highest rate; 0 when it is not known yet */
    private long cap(long absent, AfterStall policy, Problems problems) {
        if (policy != AfterStall.CAP) {
            return 0;
        }
        String given = afterStall.startsWith("cap:") ? afterStall.substring("cap:".length()) : null;
        return PropertyReader.option("--after-stall cap:", given, absent, 1, Long.MAX_VALUE, problems);
    }
}
