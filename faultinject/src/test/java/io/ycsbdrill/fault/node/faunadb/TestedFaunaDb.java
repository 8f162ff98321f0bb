package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The installation that the tests run on, {@code FAUNADB_HOME} or what {@link FaunaDbHome#PLACES} finds, and clusters of it. */
public final class TestedFaunaDb {

    private TestedFaunaDb() {}

    /**
     * Starts a cluster; skips the test when there is no installation or no Java for it. An installation that
     * was named must be complete.
     */
    public static LocalCluster up(Path directory, int nodes, int replicas) {
        Optional<FaunaDbHome> found = FaunaDbHome.PLACES.find(null, System.getenv());
        if (found.isEmpty()) {
            Assumptions.abort("no FaunaDB found; set FAUNADB_HOME or run bin/install-faunadb");
        }
        FaunaDbHome home = found.orElseThrow();
        if (!home.missing().isEmpty()) {
            throw new AssertionError("FAUNADB_HOME=" + home.root() + " lacks " + String.join(", ", home.missing())
                    + "; unset it or correct it");
        }
        try {
            FaunaDbHome.java();
        } catch (NodeControlException e) {
            Assumptions.abort(e.getMessage());
        }
        return new FaunaDbEngine()
                .up(
                        directory,
                        Map.of(
                                "nodes", Integer.toString(nodes),
                                "replicas", Integer.toString(replicas),
                                "heap", "768M"),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
    }
}
