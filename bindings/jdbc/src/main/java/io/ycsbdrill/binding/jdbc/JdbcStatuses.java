package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.Statuses;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.Status;

/**
 * The one table from SQLStates and vendor codes to statuses. What is not in it is a failure, and for a write that was sent an
 * unknown one. Codes are those of MySQL and MariaDB; of other databases only the SQLState is judged.
 */
final class JdbcStatuses {
    /**
     * The code by which MariaDB's driver says that the server names an authentication method that it does not know, or does not use without TLS.
     */
    private static final int AUTHENTICATION_METHOD = 1251;

    private static final int NOT_READY = 1047;
    private static final int PACKET_TOO_LARGE = 1153;
    /** With the name of the option in its text. */
    private static final int OPTION_PREVENTS = 1290;

    /** PostgreSQL's word for the handle of a statement that another server, or session, has prepared. */
    private static final String UNKNOWN_STATEMENT = "26000";

    private static final Set<Integer> DUPLICATE = Set.of(1022, 1062, 1586);
    /** Lock wait (rolled back), deadlock or certification failure, definition changed, statement must be prepared again. */
    private static final Set<Integer> TEMPORARY = Set.of(1205, 1213, 1412, 1615);

    private static final Set<String> TEMPORARY_STATES = Set.of("53000", "53200", "53300", "53400", "55P03", "57014");
    /** Table full, an option of the server, packet too large: refused before anything was done, and will be again. */
    private static final Set<Integer> PERMANENT = Set.of(1114, OPTION_PREVENTS, PACKET_TOO_LARGE);
    /** Read-only: the transaction, as the server is; the server; InnoDB. */
    private static final Set<Integer> READ_ONLY = Set.of(1792, 1836, 1874);
    /** Group Replication, with the name of the hook: a member that is not in the majority refuses before the commit. */
    private static final int HOOK_FAILED = 3100;
    /** Not ready (Galera), unknown statement handle (another server behind a proxy): refused before anything was done. */
    private static final Set<Integer> REFUSED = Set.of(NOT_READY, 1243);
    /** Shutting down, connection killed or given up by the server, driver's own codes for a lost link. */
    private static final Set<Integer> LOST =
            Set.of(1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 2002, 2003, 2006, 2013, 3169, 4031);
    /** NDB errors, within the text of the handler's, that leave the result open or come from a lost cluster. */
    private static final Set<Integer> NDB_UNKNOWN = Set.of(4002, 4007, 4008, 4009, 4010, 4012, 4115, 157);

    /** Galera's, of a statement that was under way when its server left the primary component, with {@link #NO_PRIMARY} in its text. */
    private static final int ERROR_DURING_COMMIT = 1180;

    private static final String NO_PRIMARY = "Not connected to Primary Component";

    private static final Set<Integer> STALE = Set.of(1054, 1146, 1412, 1615);
    private static final int LOCK_WAIT = 1205;
    private static final int DEADLOCK = 1213;
    /** MariaDB, in snapshot isolation: the row has changed since the transaction began. */
    private static final int RECORD_CHANGED = 1020;

    private static final Set<Integer> NDB_LOCKS = Set.of(266, 274, 296, 297);
    private static final int NDB_PERMANENT = 1296;
    private static final int NDB_TEMPORARY = 1297;
    private static final Set<Integer> NDB_LOST = Set.of(157, 4009, 4010);
    private static final Pattern NDB_CODE = Pattern.compile("error (\\d+)");

    /** Whether the server does not take the user for who it says it is; 28 is the SQL standard's class for that. */
    static boolean loginRefused(Failure failure) {
        return failure.state().startsWith("28") || failure.code() == AUTHENTICATION_METHOD;
    }

    /** @param write whether the operation could have changed data */
    static Status of(Failure failure, boolean write) {
        boolean open = write && failure.sent();
        String state = failure.state();
        int code = failure.code();
        if (DUPLICATE.contains(code) || state.equals("23505")) {
            return Statuses.DUPLICATE_KEY;
        }
        if (code == NDB_PERMANENT || code == NDB_TEMPORARY || code == 157) {
            return ndb(failure, open);
        }
        if (readOnly(failure) || REFUSED.contains(code) || state.equals(UNKNOWN_STATEMENT) || notSentAtAll(failure)) {
            return Statuses.UNAVAILABLE;
        }
        if (TEMPORARY.contains(code)) {
            return Statuses.TEMPORARY;
        }
        if (PERMANENT.contains(code)) {
            return Statuses.FAILED;
        }
        if (failure.timedOut()) {
            return open ? Statuses.UNKNOWN : write ? Statuses.UNAVAILABLE : Statuses.TIMEOUT;
        }
        if (brokenLink(failure)) {
            return open ? Statuses.UNKNOWN : Statuses.UNAVAILABLE;
        }
        switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "22":
                return Status.BAD_REQUEST;
            case "40":
                // 40003: the server itself does not know whether it was done.
                if (!state.equals("40003")) {
                    return Statuses.TEMPORARY;
                }
                break;
            case "53", "55", "57":
                // PostgreSQL's: no memory, no lock in time, cancelled. What reports itself so was rolled back.
                if (TEMPORARY_STATES.contains(state)) {
                    return Statuses.TEMPORARY;
                }
                return state.equals("53100") ? Statuses.FAILED : open ? Statuses.UNKNOWN : Statuses.FAILED;
            case "0A", "23", "28", "3D", "3F", "42", "54":
                return Statuses.FAILED;
            default:
                break;
        }
        return open ? Statuses.UNKNOWN : Statuses.FAILED;
    }

    /**
     * Why a transaction is over.
     *
     * @param committing whether its commit failed
     * @param status of the failed statement, judged by itself
     */
    static Status aborted(Failure failure, boolean committing, Status status) {
        if (committing && status.equals(Statuses.UNKNOWN)) {
            return status;
        }
        if (failure.code() == DEADLOCK || failure.state().equals("40P01")) {
            // A commit waits for no lock: Galera says the same when a transaction on another node was first.
            return committing ? Statuses.CONFLICT : Statuses.DEADLOCK;
        }
        if (failure.code() == LOCK_WAIT || failure.state().equals("55P03")) {
            return Statuses.LOCK_TIMEOUT;
        }
        if (failure.state().equals("40001") || failure.code() == RECORD_CHANGED) {
            return Statuses.CONFLICT;
        }
        if (status.equals(Statuses.DUPLICATE_KEY)) {
            return status;
        }
        if (failure.code() == NDB_TEMPORARY && NDB_LOCKS.contains(ndbCode(failure.text()))) {
            return Statuses.LOCK_TIMEOUT;
        }
        // Nothing was committed, whatever became of the statement: the connection's end, too, ends the transaction.
        return status.equals(Statuses.UNKNOWN) || status.equals(Statuses.TIMEOUT) ? Statuses.TEMPORARY : status;
    }

    /**
     * Whether the server takes no writes, as a standby or a demoted primary does; nothing was done. Its connection works on, but
     * every write on it will be refused.
     */
    static boolean readOnly(Failure failure) {
        String text = failure.text().toLowerCase(Locale.ROOT);
        return READ_ONLY.contains(failure.code())
                || failure.state().equals("25006")
                || failure.code() == OPTION_PREVENTS && (text.contains("read-only") || text.contains("read_only"))
                || failure.code() == HOOK_FAILED && text.contains("'before_");
    }

    /** Whether the connection cannot be used again, so that everything on it must be closed. */
    static boolean brokenLink(Failure failure) {
        String state = failure.state();
        return readOnly(failure)
                || failure.connectionLost()
                || failure.timedOut()
                || failure.defect()
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.equals("S1009")
                || state.equals("S1000")
                || state.equals("25S03")
                || LOST.contains(failure.code())
                || REFUSED.contains(failure.code())
                || state.equals(UNKNOWN_STATEMENT)
                || failure.code() == PACKET_TOO_LARGE
                || failure.code() == ERROR_DURING_COMMIT && failure.text().contains(NO_PRIMARY);
    }

    /** Whether prepared statements and what is known of the tables are out of date, although the connection still works. */
    static boolean stale(Failure failure) {
        return STALE.contains(failure.code())
                || failure.state().equals("42P01")
                || failure.state().equals("42703");
    }

    /** Whether the failure is expected in a normal run: a row that exists already. */
    static boolean expected(Failure failure) {
        return DUPLICATE.contains(failure.code()) || failure.state().equals("23505");
    }

    private static Status ndb(Failure failure, boolean open) {
        int inner = failure.code() == 157 ? 157 : ndbCode(failure.text());
        if (failure.code() == NDB_TEMPORARY && !NDB_UNKNOWN.contains(inner)) {
            return Statuses.TEMPORARY;
        }
        if (open) {
            return Statuses.UNKNOWN;
        }
        return NDB_LOST.contains(inner) ? Statuses.UNAVAILABLE : Statuses.FAILED;
    }

    /** NDB's own error code in the handler's text; 0 when there is none. */
    private static int ndbCode(String text) {
        Matcher matcher = NDB_CODE.matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Connector/J's word for a call on a statement or connection that it has closed itself. */
    private static boolean notSentAtAll(Failure failure) {
        return failure.state().equals("S1009");
    }
}
