package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.ycsbdrill.binding.ndb.client.NdbClient;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;
import java.util.Optional;

/** NDB's own client, through the Java declarations that come with it. */
public final class JtieClient implements NdbClient {
    private static final int RETRY_DELAY_SECONDS = 1;
    private static final int ATTEMPT_SECONDS = 4;
    private static final int MANAGEMENT_TIMEOUT_MILLIS = 5_000;

    /**
     * Loads the native library.
     *
     * @throws UnsatisfiedLinkError when it, or a library that it needs, cannot be loaded
     */
    public JtieClient() {
        System.loadLibrary("ndbclient");
    }

    @Override
    public NdbConnection connect(String connectString, String name, Duration timeout) throws NdbException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = Math.max(1, (end - System.nanoTime() + 999_999_999) / 1_000_000_000);
            Optional<NdbConnection> opened = attempt(connectString, name, (int) left);
            if (opened.isPresent()) {
                return opened.get();
            }
            if (System.nanoTime() >= end) {
                throw failed(
                        "management server at \"" + connectString + "\" answers, but no data node did within "
                                + timeout.toSeconds() + " s",
                        0,
                        null);
            }
        }
    }

    /**
     * Tries once.
     *
     * @return empty when no data node answered in a while: on a busy machine an attempt now and then gets a node id from
     *     the management server and is then never connected by any data node, though all are up; the next attempt takes
     *     another node id, so many short attempts do better than a few long ones
     */
    private static Optional<NdbConnection> attempt(String connectString, String name, int seconds) throws NdbException {
        Ndb_cluster_connection connection = Ndb_cluster_connection.create(connectString);
        if (connection == null) {
            throw failed("connect string \"" + connectString + "\" was refused", 0, "out of memory");
        }
        boolean open = false;
        try {
            connection.set_name(name);
            connection.set_timeout(MANAGEMENT_TIMEOUT_MILLIS);
            if (connection.connect(seconds / RETRY_DELAY_SECONDS, RETRY_DELAY_SECONDS, 0) != 0) {
                throw failed(
                        "no management server at \"" + connectString + "\" let us in within about " + seconds + " s",
                        connection.get_latest_error(),
                        connection.get_latest_error_msg());
            }
            // The number of data nodes that were not reached is positive; they will be reached later, or are down.
            if (connection.wait_until_ready(Math.min(seconds, ATTEMPT_SECONDS), 1) < 0) {
                return Optional.empty();
            }
            JtieConnection opened = new JtieConnection(connection);
            open = true;
            return Optional.of(opened);
        } finally {
            if (!open) {
                Ndb_cluster_connection.delete(connection);
            }
        }
    }

    private static NdbException failed(String what, int code, String message) {
        String text = message == null || message.isBlank() ? "no reason was given" : message.strip();
        return new NdbException(what, new NdbFailure(code, NdbFailure.TEMPORARY, 0, text, false));
    }
}
