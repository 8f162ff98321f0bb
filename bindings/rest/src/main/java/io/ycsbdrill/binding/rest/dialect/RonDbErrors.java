package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.Status;

/**
 * What the errors of RonDB's REST server mean. Beside the HTTP status it gives NDB's code: version 0.2.0 as JSON, with NDB's
 * own judgement; version 0.1.0 within a text. Stateless.
 */
final class RonDbErrors {
    /** The statuses for one row of a batch: there, 404 can only mean the row, the table or a column. */
    static final StatusTable ROWS = StatusTable.HTTP.with(Status.NOT_FOUND, 404).with(Statuses.DUPLICATE_KEY, 409);

    private static final StatusTable NDB_CODES =
            StatusTable.HTTP.with(Status.NOT_FOUND, 626).with(Statuses.DUPLICATE_KEY, 630);
    private static final Set<Integer> KNOWN = Set.of(626, 630);
    private static final Pattern CODE_IN_TEXT = Pattern.compile("Error: code: (\\d+) MySQL Code");
    /** Text that is about a table or a column, never about a row. */
    private static final String NO_TABLE = "does not exist";

    private static final int NDB_TEMPORARY = 1;
    private static final int NDB_PERMANENT = 2;
    /** Committed, although NDB calls it temporary: only the answer was lost. */
    private static final int NDB_COMMITTED = 4115;
    /** Inferred from a node's failure, although NDB calls it temporary: it may have been committed. */
    private static final int NDB_INFERRED = 4010;

    /** Whether a 404 is about the table or a column, not about a row. */
    static boolean isNoTable(String text) {
        return text.contains(NO_TABLE);
    }

    /** The meaning of the reply to a request for one row. */
    static Status ofOne(Reply reply, boolean write) {
        String text = new String(reply.body(), StandardCharsets.UTF_8);
        if (reply.code() == 404) {
            return isNoTable(text) ? Statuses.FAILED : Status.NOT_FOUND;
        }
        if (reply.code() == 409) {
            return Statuses.DUPLICATE_KEY;
        }
        Status ndb = text.startsWith("{") ? ofJson(reply, write) : ofText(text);
        return ndb == null ? StatusTable.HTTP.of(reply.code(), write) : ndb;
    }

    /**
     * Of a request to write several rows, which are transactions of their own: when one fails, others may have been committed,
     * unless the request was refused entirely.
     */
    static Status ofSeveral(Reply reply) {
        return switch (reply.code()) {
            case 400, 401, 403, 404, 405, 413 -> StatusTable.HTTP.of(reply.code(), true);
            default -> Statuses.UNKNOWN;
        };
    }

    /** Null when the text has no code whose meaning is certain. */
    private static Status ofText(String text) {
        Matcher code = CODE_IN_TEXT.matcher(text);
        return code.find() && KNOWN.contains(Integer.parseInt(code.group(1)))
                ? NDB_CODES.of(Integer.parseInt(code.group(1)), true)
                : null;
    }

    private static Status ofJson(Reply reply, boolean write) {
        Map<String, Integer> numbers = new HashMap<>();
        try (JsonParser in = reply.json()) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_INT && in.currentName() != null) {
                    numbers.put(in.currentName(), in.getIntValue());
                }
            }
        } catch (IOException e) {
            return null;
        }
        int code = numbers.getOrDefault("ndbCode", -1);
        if (KNOWN.contains(code)) {
            return NDB_CODES.of(code, write);
        }
        if (code <= 0 || code == NDB_COMMITTED) {
            return code == NDB_COMMITTED && write ? Statuses.UNKNOWN : null;
        }
        if (code == NDB_INFERRED && write) {
            return Statuses.UNKNOWN;
        }
        return switch (numbers.getOrDefault("status", -1)) {
            case NDB_TEMPORARY -> Statuses.TEMPORARY;
            case NDB_PERMANENT -> Statuses.FAILED;
            default -> null;
        };
    }
}
