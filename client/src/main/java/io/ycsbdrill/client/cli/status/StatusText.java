package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.time.Duration;
import java.util.OptionalDouble;

/** Words for figures. */
public final class StatusText {
    private StatusText() {}

    /** {@code 4813 op/s, p99 0.52 ms, 3 failed, 1 unknown, 7 skipped}; the last three only when there are any. */
    static String of(WindowSnapshot window) {
        double seconds = (window.endNanos() - window.startNanos()) / 1e9;
        StringBuilder text = new StringBuilder();
        text.append(Formatted.of("%.0f op/s", seconds > 0 ? window.ok() / seconds : 0));
        text.append(", p99 ").append(latency(window.p99Micros()));
        append(text, window.failed(), "failed");
        append(text, window.unknown(), "unknown");
        append(text, window.skipped(), "skipped");
        return text.toString();
    }

    static String latency(OptionalDouble micros) {
        if (micros.isEmpty()) {
            return "n/a";
        }
        double value = micros.getAsDouble();
        return value < 1000 ? Formatted.of("%.0f us", value) : Formatted.of("%.2f ms", value / 1000);
    }

    /** {@code 45 s} or {@code 4 min 18 s}. */
    public static String left(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds < 60 ? seconds + " s" : seconds / 60 + " min " + seconds % 60 + " s";
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(", ").append(count).append(' ').append(what);
        }
    }
}
