package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.ycsbdrill.binding.ndb.client.NdbClient;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;

/** NDB's own client, through the Java declarations that come with it. */
public final class JtieClient implements NdbClient {
    private static final int RETRY_DELAY_SECONDS = 1;

    /** Less than the 20 s or so after which the cluster gives a node id to others when its owner is not in. */
    private static final int ATTEMPT_SECONDS = 15;

    /** Where the library looks for keys and certificates by default. */
    private static final String TLS_SEARCH_PATH = "$HOME/ndb-tls";

    /** TLS to the management server is used if there are keys for it. */
    private static final int TLS_RELAXED = 0;

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
     * <p>A data node takes a node id that was released a moment ago only after some seconds: QMGR keeps the link closed for
     * three seconds after it has handled the end of the former owner.
     */
    @Override
    public NdbConnection connect(String connectString, String name, Duration timeout) throws NdbException {
        long end = System.nanoTime() + timeout.toNanos();
        do {
            Ndb_cluster_connection connection = join(connectString, name, secondsUntil(end));
            boolean ready = false;
            try {
                // The number of data nodes that were not reached is positive; they will be reached later, or are down.
                ready = connection.wait_until_ready(Math.min(secondsUntil(end), ATTEMPT_SECONDS), 1) >= 0;
                if (ready) {
                    return new JtieConnection(connection);
                }
            } finally {
                if (!ready) {
                    Ndb_cluster_connection.delete(connection);
                }
            }
        } while (System.nanoTime() < end);
        throw failed(
                "management server at \"" + connectString + "\" responds, but no data node did within "
                        + timeout.toSeconds() + " s",
                0,
                null);
    }

    /** Opens a connection that has a node id from the management server, but no data node yet. */
    private static Ndb_cluster_connection join(String connectString, String name, int seconds) throws NdbException {
        Ndb_cluster_connection connection = Ndb_cluster_connection.create(connectString);
        if (connection == null) {
            throw failed("connect string \"" + connectString + "\" was refused", 0, "out of memory");
        }
        connection.set_name(name);
        setTlsLevel(connection);
        connection.set_timeout(MANAGEMENT_TIMEOUT_MILLIS);
        if (connection.connect(seconds / RETRY_DELAY_SECONDS, RETRY_DELAY_SECONDS, 0) == 0) {
            return connection;
        }
        NdbException failure = failed(
                "no management server at \"" + connectString + "\" accepted the connection within about " + seconds
                        + " s",
                connection.get_latest_error(),
                connection.get_latest_error_msg());
        Ndb_cluster_connection.delete(connection);
        throw failure;
    }

    /**
     * Says what the library documents as its default. It must be said: in 9.7.2, and perhaps since 8.3, {@code
     * TransporterFacade::m_mgm_tls_level} is not initialised, and a client in which it happens to be neither 0 nor 1 never asks
     * the management server for the ports of the data nodes, and thus never reaches one.
     */
    private static void setTlsLevel(Ndb_cluster_connection connection) {
        try {
            connection.configure_tls(TLS_SEARCH_PATH, TLS_RELAXED);
        } catch (NoSuchMethodError e) {
            // A library from before 8.3, which has no TLS and not this defect.
        }
    }

    private static int secondsUntil(long end) {
        return (int) Math.max(1, (end - System.nanoTime() + 999_999_999) / 1_000_000_000);
    }

    private static NdbException failed(String what, int code, String message) {
        String text = message == null || message.isBlank() ? "no reason was given" : message.strip();
        return new NdbException(what, new NdbFailure(code, NdbFailure.TEMPORARY, 0, text, false));
    }
}
