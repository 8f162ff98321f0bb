package io.ycsbdrill.fault.node.galera;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The installation that the tests run on: {@code GALERA_HOME}, or what {@link GaleraHome#PLACES} finds. */
public final class TestedGalera {

    private TestedGalera() {}

    /** Skips the test when there is none. An installation that was named must be complete. */
    public static GaleraHome home() {
        Optional<GaleraHome> found = GaleraHome.PLACES.find(null, System.getenv());
        if (found.isEmpty()) {
            Assumptions.abort("no MariaDB with Galera found; set GALERA_HOME or run bin/install-galera");
        }
        GaleraHome home = found.get();
        if (!home.missing().isEmpty()) {
            throw new AssertionError("GALERA_HOME=" + home.root() + " lacks " + String.join(", ", home.missing())
                    + "; unset it or correct it");
        }
        return home;
    }

    /** Where its programs and what belongs to them are. */
    public static Path usr(GaleraHome home) {
        return home.usr();
    }

    /** The given variables, and what its programs need. */
    public static Map<String, String> environment(GaleraHome home, Map<String, String> given) {
        return home.environment(given);
    }
}
