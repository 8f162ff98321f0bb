package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.cli.status.StatusText;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** When to start, as typed: {@code 2026-11-21T14:00:00Z}, with another offset, or {@code +30s} from now. */
final class StartTime {
    private static final Duration LONGEST = Duration.ofHours(24);

    /** @throws IllegalArgumentException saying what is expected, without naming the option */
    static Instant parse(String text, Instant now) {
        Instant start = text.startsWith("+") ? now.plus(Durations.parse(text.substring(1))) : instant(text);
        Duration left = Duration.between(now, start);
        if (left.isNegative()) {
            throw new IllegalArgumentException(Formatted.of(
                    "\"%s\" was %s ago by this machine's clock, which says %s; give a time in the future",
                    text, StatusText.left(left.negated()), now));
        }
        if (left.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(Formatted.of(
                    "\"%s\" is %d hours from now, %s; the longest wait is %d hours",
                    text, left.toHours(), now, LONGEST.toHours()));
        }
        return start;
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a time with its offset from UTC, 2026-11-21T14:00:00Z or"
                            + " 2026-11-21T15:00:00+01:00, nor +TIME from now, +30s",
                    e);
        }
    }
}
