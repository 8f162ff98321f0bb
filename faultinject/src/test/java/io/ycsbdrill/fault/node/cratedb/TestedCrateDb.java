package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The installation that the tests run on, {@code CRATEDB_HOME} or what {@link CrateDbHome#PLACES} finds, and clusters of it. */
public final class TestedCrateDb {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private TestedCrateDb() {}

    /**
     * Starts three servers; skips the test when there is no installation or no JDK for it. An installation
     * that was named must be complete.
     *
     * @param folder of the test; opened for the user as whom servers of root run
     */
    public static LocalCluster up(Path folder) throws IOException {
        return up(folder, Map.of("heap", "256M"));
    }

    /** As {@link #up(Path)}, with these options. */
    static LocalCluster up(Path folder, Map<String, String> options) throws IOException {
        require(folder);
        return new CrateDbEngine()
                .up(folder.resolve("c"), options, Lifetime.OWNED, line -> System.out.println("up: " + line));
    }

    /** Skips the test as {@link #up(Path)} does, and opens its folder. */
    public static void require(Path folder) throws IOException {
        Optional<CrateDbHome> found = CrateDbHome.PLACES.find(null, System.getenv());
        if (found.isEmpty()) {
            Assumptions.abort("no CrateDB found; set CRATEDB_HOME or run bin/install-cratedb");
        }
        CrateDbHome home = found.orElseThrow();
        if (!home.missing().isEmpty()) {
            throw new AssertionError("CRATEDB_HOME=" + home.root() + " lacks " + String.join(", ", home.missing())
                    + "; unset it or correct it");
        }
        try {
            CrateDbJdk.find(home.root());
        } catch (NodeControlException e) {
            Assumptions.abort(e.getMessage());
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** Waits until every table has all its copies. */
    static void awaitGreen(LocalCluster cluster) {
        NodeLocks.await(
                Duration.ofSeconds(60),
                () -> {
                    try {
                        return execute(cluster, "select max(severity) from sys.health")
                                .contains("[[1]]");
                    } catch (IOException e) {
                        return false;
                    } catch (InterruptedException e) {
                        throw NodeLocks.interrupted(e);
                    }
                },
                () -> "copies are still missing a minute after the tables were created");
    }

    /** Has the first server that answers execute a statement, and returns its answer. */
    public static String execute(LocalCluster cluster, String statement) throws IOException, InterruptedException {
        IOException failure = new IOException("no server is named");
        for (String server : cluster.descriptor()
                .bindings()
                .get("rest")
                .get("rest.endpoints")
                .split(",")) {
            try {
                HttpResponse<String> reply = HTTP.send(
                        HttpRequest.newBuilder(URI.create(server + "/_sql"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"stmt\":\"" + statement.replace("\"", "\\\"") + "\"}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                if (reply.statusCode() != 200) {
                    throw new AssertionError(statement + ": " + reply.body());
                }
                return reply.body();
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }
}
