package io.ycsbdrill.fault.node.patroni;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The installation that the tests run on: {@code PATRONI_HOME}, or what {@link PatroniHome#PLACES} finds. */
public final class TestedPatroni {

    private TestedPatroni() {}

    /** Skips the test when there is none. An installation that was named must be complete. */
    public static PatroniHome home() {
        Optional<PatroniHome> found = PatroniHome.PLACES.find(null, System.getenv());
        if (found.isEmpty()) {
            Assumptions.abort("no Patroni found; set PATRONI_HOME or run bin/install-patroni");
        }
        PatroniHome home = found.get();
        if (!home.missing().isEmpty()) {
            throw new AssertionError("PATRONI_HOME=" + home.root() + " lacks " + String.join(", ", home.missing())
                    + "; unset it or correct it");
        }
        return home;
    }

    /** Options of a cluster that notices the loss of its primary within seconds, as far as its version of Patroni allows. */
    public static Map<String, String> quick() {
        return home().version().startsWith("3.")
                ? Map.of("ttl", "5", "loop-wait", "1", "retry-timeout", "2")
                : Map.of("ttl", "20", "loop-wait", "1", "retry-timeout", "3");
    }
}
