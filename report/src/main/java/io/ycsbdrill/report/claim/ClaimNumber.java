package io.ycsbdrill.report.claim;

import io.ycsbdrill.base.Formatted;
import java.math.BigDecimal;
import java.math.MathContext;

/** Figures of claims as text, which are of any size. Stateless. */
public final class ClaimNumber {
    private ClaimNumber() {}

    /** Three digits, or all before the point: {@code 0.649}, {@code 1.27}, {@code 51,000}. */
    public static String text(double value) {
        if (Math.abs(value) >= 100) {
            return Formatted.of("%,.0f", value);
        }
        return value == 0
                ? "0"
                : new BigDecimal(value)
                        .round(new MathContext(3))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
