package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb;
import io.ycsbdrill.binding.ndb.client.NdbException;

/**
 * Makes one thread do everything that a session does before any other thread may. The Java side of NDB's library looks a class and its members up when it
 * first needs them, and does so without a lock (9.7.2): of two threads that need the same one at the same moment, the second may get null in
 * place of an object, and no exception. At a run's first operations that is no rare thing. What was once looked up stays.
 */
final class Rehearsal {
    private static volatile boolean done;
    /** Opens the rows of a table in a session. */
    interface Opening {
        JtieRows open() throws NdbException;
    }

    /**
     * Opens rows; until all was once done, one thread at a time, in every session of this process.
     *
     * @throws NdbException when they cannot be opened, or the cluster takes no transaction now; may be tried again
     */
    static JtieRows open(Ndb ndb, Opening opening) throws NdbException {
        if (done) {
            return opening.open();
        }
        synchronized (Rehearsal.class) {
            ndb.getNdbError();
            JtieRows rows = opening.open();
            if (!done) {
                try {
                    done = rows.rehearse();
                } catch (NdbException | RuntimeException e) {
                    rows.close();
                    throw e;
                }
            }
            return rows;
        }
    }
}
