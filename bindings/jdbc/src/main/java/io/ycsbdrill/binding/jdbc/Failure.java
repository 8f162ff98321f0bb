package io.ycsbdrill.binding.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The failure of an operation, as the driver reports it. Immutable.
 *
 * @param state the SQLState, empty when there is none
 * @param code the vendor's code, 0 when there is none
 * @param text what the driver says
 * @param connectionLost whether the driver calls it a failure of the connection
 * @param timedOut whether no answer came in time
 * @param defect an exception that no driver should throw
 * @param sent whether anything was sent that can have taken effect
 */
record Failure(
        String state, int code, String text, boolean connectionLost, boolean timedOut, boolean defect, boolean sent) {

    /** @param mysql whether the vendor codes are MySQL's; others are left out, as the same numbers mean other things there */
    static Failure of(Exception exception, boolean sent, boolean mysql) {
        if (!(exception instanceof SQLException e)) {
            return new Failure("", 0, exception.toString(), false, false, true, sent);
        }
        boolean connection = e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLRecoverableException;
        boolean timedOut = e instanceof SQLTimeoutException || causedByTimeout(e);
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return new Failure(
                state, mysql ? e.getErrorCode() : 0, String.valueOf(e.getMessage()), connection, timedOut, false, sent);
    }

    /** SQLState, code and the first line of the text. */
    String line() {
        String first = text.lines().findFirst().orElse("");
        return "SQLState " + (state.isEmpty() ? "none" : state) + ", code " + code + ": " + first;
    }

    private static boolean causedByTimeout(Throwable e) {
        return Stream.iterate(e.getCause(), Objects::nonNull, Throwable::getCause)
                .limit(10)
                .anyMatch(SocketTimeoutException.class::isInstance);
    }
}
