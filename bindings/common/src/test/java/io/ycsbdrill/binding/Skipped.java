package io.ycsbdrill.binding;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Skips tests and says why, as the build does not show the reason of an assumption. */
public final class Skipped {
    private Skipped() {}

    /**
     * Ends the test, or all tests of the class, as skipped.
     *
     * @param test whose name is printed with the reason
     */
    public static void unless(boolean holds, Class<?> test, String reason) {
        if (!holds) {
            System.out.println("skipped: " + test.getSimpleName() + ": " + reason);
        }
        assumeTrue(holds, reason);
    }
}
