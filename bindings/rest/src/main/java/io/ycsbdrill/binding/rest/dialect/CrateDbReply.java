package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * What CrateDB says of a statement.
 *
 * @param rowCount negative when the server does not know, or did not say
 * @param results of a bulk statement, one for each row
 */
record CrateDbReply(int rowCount, List<Status> results) {
    /** CrateDB's own codes, of four digits, beside those of HTTP. Not here, and so unknown: what may have reached a shard. */
    static final StatusTable WRITES = StatusTable.HTTP
            .with(Status.BAD_REQUEST, 4000, 4003)
            .with(Statuses.FAILED, 4041, 4043, 4045)
            .with(Statuses.DUPLICATE_KEY, 4091)
            // The version in the way of an update; no master; the cluster's state not recovered: refused before the
            // change.
            .with(Statuses.TEMPORARY, 4092, 5031, 5035);

    private static final StatusTable READS = WRITES.with(Statuses.TEMPORARY, 5002, 5003, 5030, 5032, 5033, 5034);

    /** One character for each byte, so that any bytes come back as they were. */
    static final JsonRow ROW = new JsonRow(StandardCharsets.ISO_8859_1);

    private static final int UNSAID = -1;

    /** The meaning of an unsuccessful reply: by CrateDB's code if that is known, otherwise by HTTP's. */
    static Status status(Reply reply, boolean write) {
        int code = UNSAID;
        try (JsonParser in = reply.json()) {
            JsonRow.enter(in, "error");
            code = errorCode(in);
        } catch (IOException e) {
            // Somebody else answered, such as a proxy.
        }
        StatusTable table = write ? WRITES : READS;
        return table.of(table.has(code) ? code : reply.code(), write);
    }

    /** Reads a reply with success to a statement that gives no rows. */
    static CrateDbReply read(Exchange http, Reply reply) throws IOException {
        return read(http, reply, null, null, row -> {});
    }

    /**
     * Reads a reply with success; hands the server's own time on to the exchange.
     *
     * @param wanted null means all columns
     * @param besides a column that is no field, or null
     */
    static CrateDbReply read(
            Exchange http, Reply reply, Set<String> wanted, String besides, Consumer<HashMap<String, ByteIterator>> to)
            throws IOException {
        List<String> columns = new ArrayList<>();
        List<Status> results = new ArrayList<>();
        int rowCount = UNSAID;
        try (JsonParser in = reply.json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String member = in.currentName();
                in.nextToken();
                switch (member) {
                    case "cols" -> {
                        while (in.nextToken() != JsonToken.END_ARRAY) {
                            columns.add(in.getText());
                        }
                    }
                    case "rows" -> {
                        while (in.nextToken() == JsonToken.START_ARRAY) {
                            to.accept(row(in, columns, wanted, besides));
                        }
                    }
                    case "rowcount" -> rowCount = in.getIntValue();
                    case "duration" -> http.serverMillis(in.getDoubleValue());
                    case "results" -> {
                        while (in.nextToken() == JsonToken.START_OBJECT) {
                            results.add(result(in));
                        }
                    }
                    default -> in.skipChildren();
                }
            }
            JsonRow.expect(in, in.currentToken(), JsonToken.END_OBJECT);
        }
        return new CrateDbReply(rowCount, results);
    }

    private static HashMap<String, ByteIterator> row(
            JsonParser in, List<String> columns, Set<String> wanted, String besides) throws IOException {
        HashMap<String, ByteIterator> row = new HashMap<>();
        int column = 0;
        for (JsonToken value = in.nextToken(); value != JsonToken.END_ARRAY; value = in.nextToken()) {
            if (column == columns.size()) {
                throw new IOException("a row has more than " + columns.size() + " columns");
            }
            String name = columns.get(column++);
            if (!value.isScalarValue()) {
                in.skipChildren();
            } else if (value != JsonToken.VALUE_NULL
                    && !name.equals(besides)
                    && (wanted == null || wanted.contains(name))) {
                row.put(name, ROW.value(in));
            }
        }
        return row;
    }

    /** One of the results: a row count, 1 for success, and sometimes why there was none. */
    private static Status result(JsonParser in) throws IOException {
        int count = UNSAID;
        int code = UNSAID;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String member = in.currentName();
            in.nextToken();
            switch (member) {
                case "rowcount" -> count = in.getIntValue();
                case "error" -> code = errorCode(in);
                default -> in.skipChildren();
            }
        }
        if (count == 1) {
            return Status.OK;
        }
        // Only the first ten errors of a shard say why.
        return code == UNSAID ? Statuses.UNKNOWN : WRITES.of(code, true);
    }

    /** Reads the code of the error object whose start is the last token, to its end. */
    private static int errorCode(JsonParser in) throws IOException {
        JsonRow.expect(in, in.currentToken(), JsonToken.START_OBJECT);
        int code = UNSAID;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String member = in.currentName();
            if (in.nextToken() == JsonToken.VALUE_NUMBER_INT && member.equals("code")) {
                code = in.getIntValue();
            } else {
                in.skipChildren();
            }
        }
        return code;
    }
}
