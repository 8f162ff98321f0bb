package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much a drill asks of the database: as the key {@code load} of a drill file says. Its text is as it is written there. */
public sealed interface OfferedLoad {
    /** Used when a drill file does not say: below saturation, so that what a fault costs is not hidden by queues. */
    OfferedLoad STANDARD = new Share(0.6, Optional.empty());

    /** What is accepted as text, for messages. */
    String EXPECTED = "a share of the maximum: 60%, a rate: 2000/s, or max";

    Duration SHORTEST_CALIBRATION = Duration.ofSeconds(4);
    Duration LONGEST_CALIBRATION = Duration.ofMinutes(10);

    /** As fast as it goes: each client thread sends its next operation when the one before has returned. */
    record Maximum() implements OfferedLoad {
        @Override
        public String toString() {
            return "max";
        }
    }

    /**
     * A share of the maximum, which a closed loop measures first.
     *
     * @param share 0.01 to 1
     * @param calibration length of the closed loop; empty: as long as usual
     */
    record Share(double share, Optional<Duration> calibration) implements OfferedLoad {
        public Share {
            if (!(share >= 0.01 && share <= 1)) {
                throw new IllegalArgumentException("a share of " + percent(share) + " is not from 1% to 100%");
            }
        }

        private static String percent(double share) {
            return BigDecimal.valueOf(share)
                            .movePointRight(2)
                            .stripTrailingZeros()
                            .toPlainString() + "%";
        }

        @Override
        public String toString() {
            return calibration
                    .map(length -> "{share: " + percent(share) + ", calibration: " + Durations.print(length) + "}")
                    .orElse(percent(share));
        }
    }

    /**
     * A constant rate.
     *
     * @param perSecond transactions of all clients together, positive
     */
    record Rate(double perSecond) implements OfferedLoad {
        public Rate {
            if (!(perSecond > 0 && perSecond <= 1e12)) {
                throw new IllegalArgumentException("a rate of " + perSecond + "/s is not above 0");
            }
        }

        @Override
        public String toString() {
            return BigDecimal.valueOf(perSecond).stripTrailingZeros().toPlainString() + "/s";
        }
    }

    /** The form of a share, a rate and the word. */
    Pattern FORM = Pattern.compile("(?<share>\\d{1,3}(?:\\.\\d{1,6})?)%|(?<rate>\\d{1,12}(?:\\.\\d{1,6})?)/s|max");

    /**
     * From its text.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    static OfferedLoad parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\"; expected " + EXPECTED);
        }
        if (form.group("share") != null) {
            return new Share(Double.parseDouble(form.group("share")) / 100, Optional.empty());
        }
        return form.group("rate") == null ? new Maximum() : new Rate(Double.parseDouble(form.group("rate")));
    }
}
