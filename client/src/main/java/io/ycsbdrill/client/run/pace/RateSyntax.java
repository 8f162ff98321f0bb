package io.ycsbdrill.client.run.pace;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate over time as typed. Parts are separated by commas and in order of time:
 *
 * <ul>
 *   <li>{@code 1000} or {@code 1000@0s}: a constant rate of arrivals per second from that moment on
 *   <li>{@code 1000..5000@10s-70s}: a straight line between two moments; the rate stays at its end value
 * </ul>
 */
public final class RateSyntax {
    /** What is accepted, for messages. */
    public static final String EXPECTED =
            "steps RATE@START and ramps FROM..TO@START-END in operations per second, the first at 0s:"
                    + " 1000 or 1000@0s,5000@60s or 1000..5000@0s-60s";

    private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,6})?)";
    private static final Pattern STEP = Pattern.compile(NUMBER + "(?:@([0-9.]+[a-z]+))?");
    private static final Pattern RAMP =
            Pattern.compile(NUMBER + "\\.\\." + NUMBER + "@([0-9.]+[a-z]+)-([0-9.]+[a-z]+)");

    private RateSyntax() {}

    /** One constant rate for ever. */
    public static List<Segment> constant(double rate) {
        return List.of(new Segment(0, Double.POSITIVE_INFINITY, rate, rate));
    }

    /**
     * The segments, in order, without gaps, the last one open-ended.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static List<Segment> parse(String text) {
        List<Segment> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            parts.add(part(part.strip()));
        }
        if (parts.get(0).startSeconds() != 0) {
            throw new IllegalArgumentException("\"" + text + "\" does not give the rate from 0s on");
        }
        return joined(text, parts);
    }

    private static Segment part(String part) {
        Matcher ramp = RAMP.matcher(part);
        if (ramp.matches()) {
            Segment segment = new Segment(
                    seconds(ramp.group(3)),
                    seconds(ramp.group(4)),
                    Double.parseDouble(ramp.group(1)),
                    Double.parseDouble(ramp.group(2)));
            if (segment.endSeconds() <= segment.startSeconds()) {
                throw new IllegalArgumentException("the ramp \"" + part + "\" ends before it starts");
            }
            return segment;
        }
        Matcher step = STEP.matcher(part);
        if (!step.matches()) {
            throw new IllegalArgumentException("\"" + part + "\" is not one of " + EXPECTED);
        }
        double rate = Double.parseDouble(step.group(1));
        double start = step.group(2) == null ? 0 : seconds(step.group(2));
        return new Segment(start, Double.POSITIVE_INFINITY, rate, rate);
    }

    /** Ends each step where the next part starts and fills the time between a ramp and the next part with its end value. */
    private static List<Segment> joined(String text, List<Segment> parts) {
        List<Segment> joined = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Segment part = parts.get(i);
            double next = i + 1 < parts.size() ? parts.get(i + 1).startSeconds() : Double.POSITIVE_INFINITY;
            boolean ramp = part.endSeconds() != Double.POSITIVE_INFINITY;
            if (next <= part.startSeconds() || ramp && next < part.endSeconds()) {
                throw new IllegalArgumentException("the parts of \"" + text + "\" overlap or are not in order of time");
            }
            double end = ramp ? part.endSeconds() : next;
            joined.add(new Segment(part.startSeconds(), end, part.fromRate(), part.toRate()));
            if (end < next) {
                joined.add(new Segment(end, next, part.toRate(), part.toRate()));
            }
        }
        if (joined.stream().allMatch(s -> s.fromRate() == 0 && s.toRate() == 0)) {
            throw new IllegalArgumentException("\"" + text + "\" never sends anything");
        }
        if (joined.get(joined.size() - 1).toRate() == 0) {
            throw new IllegalArgumentException("\"" + text + "\" ends with the rate 0, so the run would never end");
        }
        return joined;
    }

    private static double seconds(String text) {
        return Durations.parse(text).toNanos() / 1e9;
    }
}
