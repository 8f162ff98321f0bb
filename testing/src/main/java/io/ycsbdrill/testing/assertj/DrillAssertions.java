package io.ycsbdrill.testing.assertj;

import io.ycsbdrill.testing.DrillResult;

/** Entry point of the assertions: {@code import static io.ycsbdrill.testing.assertj.DrillAssertions.assertThat}. */
public final class DrillAssertions {
    private DrillAssertions() {}

    /** Begins assertions on a drill. */
    public static DrillAssert assertThat(DrillResult actual) {
        return new DrillAssert(actual);
    }
}
