package io.ycsbdrill.client.run.file;

import java.math.BigDecimal;

/** Numbers as the run directory writes them, the same in every locale. */
public final class Format {
    private Format() {}

    /** Exact, without trailing zeros: {@code 0.1}, {@code 10}. */
    public static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    /** Microseconds to the nanosecond, without trailing zeros. */
    public static String micros(long nanos) {
        return BigDecimal.valueOf(nanos, 3).stripTrailingZeros().toPlainString();
    }

    /** Microseconds of a mean, rounded to the nanosecond. */
    public static String micros(double nanos) {
        return micros(Math.round(nanos));
    }

    /** Per second over so many nanoseconds, to a thousandth. */
    public static String perSecond(long count, long nanos) {
        return BigDecimal.valueOf(Math.round(rate(count, nanos) * 1000), 3)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** {@code 60%} of 0.6. */
    public static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    /** Per second; 0 when no time has passed. */
    public static double rate(long count, long nanos) {
        return nanos <= 0 ? 0 : count * 1e9 / nanos;
    }
}
