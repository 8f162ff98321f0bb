package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads what FaunaDB answers when it succeeds: {@code {"data":...,"txn_ts":...,"stats":{...}}}. */
final class FaunaDbReply {
    /** Handles the value of {@code data}, whose first token is the last one that was read. */
    private interface Data {
        void read(JsonParser in) throws IOException;
    }

    /** Whether {@code data} is true. */
    static boolean truth(Exchange http, Reply reply) throws IOException {
        boolean[] truth = {false};
        members(http, reply, in -> truth[0] = in.currentToken() == JsonToken.VALUE_TRUE);
        return truth[0];
    }

    /** Reads a page, {@code {"data":[...],"after":...}}; returns how many rows were in it. */
    static int rows(
            Exchange http, Reply reply, Set<String> wanted, int most, Consumer<HashMap<String, ByteIterator>> to)
            throws IOException {
        int[] count = {0};
        members(http, reply, in -> {
            JsonRow.member(in, "data");
            JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
            while (in.nextToken() == JsonToken.START_OBJECT) {
                HashMap<String, ByteIterator> row = new HashMap<>();
                FaunaDbDialect.ROW.read(in, wanted, FaunaDbDialect.KEY, row);
                if (count[0]++ < most) {
                    to.accept(row);
                }
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                in.nextToken();
                in.skipChildren();
            }
        });
        return count[0];
    }

    private static void members(Exchange http, Reply reply, Data data) throws IOException {
        boolean there = false;
        try (JsonParser in = reply.json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String member = in.currentName();
                JsonToken value = in.nextToken();
                if (member.equals("data")) {
                    there = true;
                    data.read(in);
                } else if (member.equals("stats") && value == JsonToken.START_OBJECT) {
                    stats(http, in);
                } else if (member.equals("txn_ts") && value == JsonToken.VALUE_NUMBER_INT) {
                    http.seen(in.getLongValue());
                } else {
                    in.skipChildren();
                }
            }
        }
        if (!there) {
            throw new IOException("the reply has no data: " + reply.line());
        }
    }

    private static void stats(Exchange http, JsonParser in) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            if (in.nextToken().isNumeric() && name.equals("query_time_ms")) {
                http.serverMillis(in.getDoubleValue());
            } else {
                in.skipChildren();
            }
        }
    }

    /** Reads an array of what was made, by row: true, or false for what was there already. */
    static List<Status> made(Exchange http, Reply reply, List<BulkInserts.Row> rows) throws IOException {
        List<Status> statuses = new ArrayList<>(rows.size());
        members(http, reply, in -> {
            JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
            while (in.nextToken() != JsonToken.END_ARRAY) {
                boolean made = in.currentToken() == JsonToken.VALUE_TRUE;
                if (!made) {
                    JsonRow.expect(in, in.currentToken(), JsonToken.VALUE_FALSE);
                }
                statuses.add(made ? Status.OK : Statuses.DUPLICATE_KEY);
            }
        });
        return Dialect.Bulk.each(rows, statuses);
    }
}
