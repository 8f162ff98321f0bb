package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.ycsbdrill.binding.ndb.client.NdbClient;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** NDB's own client, through the Java declarations that come with it. */
public final class JtieClient implements NdbClient {
    private static final int RETRY_DELAY_SECONDS = 1;
    private static final int ATTEMPT_SECONDS = 2;

    /** Each takes a node id, and a cluster has few of them to spare. */
    private static final int MOST_ATTEMPTS = 4;

    private static final int MANAGEMENT_TIMEOUT_MILLIS = 5_000;

    /**
     * Loads the native library.
     *
     * @throws UnsatisfiedLinkError when it, or a library that it needs, cannot be loaded
     */
    public JtieClient() {
        System.loadLibrary("ndbclient");
    }

    /**
     * {@inheritDoc}
     *
     * <p>A data node takes a node id that was released a moment ago only after some seconds (QMGR keeps the link closed after
     * it has handled the end of the former owner), and now and then not at all. So an attempt that is not in after a while is
     * kept, which keeps its node id taken, and another one, which thus has another id, is begun beside it; the first that is in wins.
     */
    @Override
    public NdbConnection connect(String connectString, String name, Duration timeout) throws NdbException {
        long end = System.nanoTime() + timeout.toNanos();
        List<Ndb_cluster_connection> attempts = new ArrayList<>();
        Ndb_cluster_connection ready = null;
        try {
            while (ready == null && (attempts.isEmpty() || System.nanoTime() < end)) {
                if (attempts.size() < MOST_ATTEMPTS) {
                    begin(connectString, name, end, attempts);
                }
                ready = firstReady(attempts, end);
            }
            if (ready == null) {
                throw failed(
                        "management server at \"" + connectString + "\" answers, but no data node did within "
                                + timeout.toSeconds() + " s",
                        0,
                        null);
            }
            JtieConnection opened = new JtieConnection(ready);
            attempts.remove(ready);
            return opened;
        } finally {
            attempts.forEach(Ndb_cluster_connection::delete);
        }
    }

    /** One more connection that has a node id; a later one that gets none, because there is no further slot, is left out. */
    private static void begin(String connectString, String name, long end, List<Ndb_cluster_connection> attempts)
            throws NdbException {
        Ndb_cluster_connection connection = Ndb_cluster_connection.create(connectString);
        if (connection == null) {
            throw failed("connect string \"" + connectString + "\" was refused", 0, "out of memory");
        }
        boolean first = attempts.isEmpty();
        int seconds = first ? secondsUntil(end) : 1;
        connection.set_name(name);
        connection.set_timeout(MANAGEMENT_TIMEOUT_MILLIS);
        if (connection.connect(seconds / RETRY_DELAY_SECONDS, RETRY_DELAY_SECONDS, 0) == 0) {
            attempts.add(connection);
            return;
        }
        NdbException failure = failed(
                "no management server at \"" + connectString + "\" let us in within about " + seconds + " s",
                connection.get_latest_error(),
                connection.get_latest_error_msg());
        Ndb_cluster_connection.delete(connection);
        if (first) {
            throw failure;
        }
    }

    /** Gives the newest attempt a few seconds, and looks at the older ones; null when none is in. */
    private static Ndb_cluster_connection firstReady(List<Ndb_cluster_connection> attempts, long end) {
        for (int i = attempts.size() - 1; i >= 0; i--) {
            int patience = i == attempts.size() - 1 ? Math.min(secondsUntil(end), ATTEMPT_SECONDS) : 1;
            // The number of data nodes that were not reached is positive; they will be reached later, or are down.
            if (attempts.get(i).wait_until_ready(patience, 1) >= 0) {
                return attempts.get(i);
            }
        }
        return null;
    }

    private static int secondsUntil(long end) {
        return (int) Math.max(1, (end - System.nanoTime() + 999_999_999) / 1_000_000_000);
    }

    private static NdbException failed(String what, int code, String message) {
        String text = message == null || message.isBlank() ? "no reason was given" : message.strip();
        return new NdbException(what, new NdbFailure(code, NdbFailure.TEMPORARY, 0, text, false));
    }
}
