package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.NdbHome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The NDB installation that engine tests start clusters from. */
public final class TestedNdb {
    private TestedNdb() {}

    /**
     * Skips the test when no NDB is on this machine. Where {@code NDB_HOME} says that there is one, it has to be complete:
     * then a test that cannot run has failed.
     */
    public static NdbHome home() {
        boolean named = NdbHome.named(null, System.getenv()).isPresent();
        Optional<NdbHome> found = NdbHome.find(null, System.getenv());
        List<String> missing = found.map(home -> home.missing(false)).orElse(List.of("everything"));
        if (named && !missing.isEmpty()) {
            throw new AssertionError("NDB_HOME=" + System.getenv("NDB_HOME") + " lacks " + String.join(", ", missing)
                    + "; unset it or correct it");
        }
        return found.filter(home -> missing.isEmpty())
                .orElseGet(() -> skip("no NDB installation found; set NDB_HOME or run bin/install-ndb"));
    }

    /** The same, with SQL nodes and what a client needs. */
    public static NdbHome completeHome() {
        NdbHome home = home();
        boolean complete = home.missing(true).isEmpty()
                && home.clientLibrary().isPresent()
                && home.clusterj().isPresent();
        if (!complete && NdbHome.named(null, System.getenv()).isPresent()) {
            throw new AssertionError(
                    "NDB_HOME lacks mysqld, libndbclient or ClusterJ:\n" + String.join("\n", NdbEngine.describe(home)));
        }
        return complete ? home : skip(home.root() + " lacks mysqld, libndbclient or ClusterJ");
    }

    private static NdbHome skip(String reason) {
        return Assumptions.abort(reason);
    }
}
