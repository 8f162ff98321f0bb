package io.ycsbdrill.fault.node.harper;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The installation that the tests run on: {@code HARPER_HOME}, or what {@link HarperHome#PLACES} finds. */
public final class TestedHarper {

    private TestedHarper() {}

    /** Skips the test when there is none, or no Node.js. One that was named must be complete. */
    public static HarperHome home() {
        Optional<HarperHome> found = HarperHome.PLACES.find(null, System.getenv());
        Optional<Path> node = HarperHome.node(System.getenv());
        if (found.isEmpty() || node.isEmpty()) {
            Assumptions.abort(
                    found.isEmpty()
                            ? "no Harper found; set HARPER_HOME or run bin/install-harper"
                            : "no Node.js in the PATH; set HARPER_NODE");
        }
        if (!found.get().missing().isEmpty()) {
            throw new AssertionError("HARPER_HOME=" + found.get().root() + " lacks "
                    + String.join(", ", found.get().missing()) + "; unset it or correct it");
        }
        return found.get();
    }
}
