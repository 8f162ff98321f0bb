package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.binding.NodeReads.Nodes;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The requests and replies of one kind of server: what each operation sends, and what the replies mean. An operation asks through
 * the {@link Exchange} it is given, as often as it must. What the exchange throws is passed on; the caller judges it. A reply
 * that is not understood is an {@link IOException} too.
 *
 * <p>A record, or otherwise equal by its settings: threads with equal settings share their knowledge of the servers.
 * Immutable, used by all threads.
 */
public interface Dialect {

    /** Inserts many rows by one request. */
    interface Bulk extends Dialect {
        /** @return the status of each row, in the same order */
        List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException;

        /** The statuses as they are, when there is one for each row. */
        static List<Status> each(List<BulkInserts.Row> rows, List<Status> statuses) throws IOException {
            if (statuses.size() != rows.size()) {
                throw new IOException(statuses.size() + " results for " + rows.size() + " rows");
            }
            return statuses;
        }
    }

    /**
     * A request for rows.
     *
     * @param start the first key wanted, included
     * @param count 1 or more; no more rows are returned
     * @param fields null means all
     * @param result takes the rows
     */
    record Scan(String table, String start, int count, Set<String> fields, List<HashMap<String, ByteIterator>> result) {

        /** Reads one row, an object whose start is the current token, up to its end. */
        interface RowReader {
            void read(Map<String, ByteIterator> row) throws IOException;
        }

        /** Adds the rows of an array whose start is the current token, up to {@link #count}. */
        void addAll(JsonParser in, RowReader reader) throws IOException {
            JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
            while (in.nextToken() != JsonToken.END_ARRAY && result.size() < count) {
                HashMap<String, ByteIterator> row = new HashMap<>();
                reader.read(row);
                result.add(row);
            }
        }
    }

    /** The meaning of each HTTP status that the server gives. */
    StatusTable statuses();

    /**
     * Headers that are sent with every request, beside those of the client itself.
     *
     * @param timeout after which the client no longer waits for a reply
     */
    default Map<String, String> headers(Duration timeout) {
        return Map.of();
    }

    /** The timeout of a reply unless the user sets one: longer than the server itself tries. */
    default Duration defaultTimeout() {
        return Duration.ofSeconds(30);
    }

    /** Whether {@link #prepare} may make the table, which can take longer than any operation. */
    default boolean makesTable() {
        return true;
    }

    /**
     * Looks at the server once, before the first operation of all threads, and makes the table when it can and should.
     *
     * @throws DBException when the server cannot do what the workload needs, with the reason and what to do
     */
    void prepare(Exchange http) throws IOException, DBException;

    /** Whether {@link #prepareManagement} has something to look at. */
    default boolean asksManagement() {
        return false;
    }

    /** As {@link #prepare}, after it, at the address of {@link #management}. */
    default void prepareManagement(Exchange http) throws IOException, DBException {}

    /** Checks that a failed server serves again; throws when it does not. */
    void probe(Exchange http) throws IOException;

    /** The server's version, if the reply to {@link #probe}, which is the last one, has it. */
    default Optional<String> version(Exchange http) throws IOException {
        return Optional.empty();
    }

    /** It can do nothing but insert: why, and what to use instead; empty when it can. */
    default Optional<String> insertsOnly() {
        return Optional.empty();
    }

    /** Where the server reports its nodes: the address that serves, unless that is another interface. */
    default Endpoint management(Endpoint server) {
        return server;
    }

    /** What a read may show. */
    default Guarantee guarantee() {
        return Guarantee.NONE;
    }

    /**
     * How each of the servers is read on its own.
     *
     * @param endpoints all that the binding was given
     */
    default Nodes nodes(Exchange http, List<String> endpoints) throws IOException {
        return Nodes.none("with this rest.dialect a server may answer with another server's copy");
    }

    /** @param fields null means all */
    Status read(Exchange http, String table, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws IOException;

    /** Reads rows in the order of their keys. */
    Status scan(Exchange http, Scan scan) throws IOException;

    Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException;

    Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException;

    Status delete(Exchange http, String table, String key) throws IOException;
}
