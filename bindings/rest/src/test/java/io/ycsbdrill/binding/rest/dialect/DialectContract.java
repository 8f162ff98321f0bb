package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.ScriptedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.Vector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** What every dialect must do, on a server that follows a script. Rows have the fields {@code field0} and {@code field1}. */
@Timeout(60)
abstract class DialectContract {
    ScriptedServer server;
    private RestBinding db;

    /** The dialect's name and what else it needs; {@code rest.endpoints} is added. */
    abstract Map<String, String> properties();

    /** What is asked before the first operation, and what the probe asks. */
    abstract void expectPreparation();

    /** The read of all fields of the key {@code k}. */
    abstract String readRequest();

    /** The answer to it: field0 is "a", field1 is "b". */
    abstract String row();

    /** The insert of the key {@code k} with field0 "a" and field1 "b". */
    abstract String insertRequest();

    @BeforeEach
    final void startServer() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    final void everythingCameAndNothingElse() throws IOException, DBException {
        if (db != null) {
            db.cleanup();
        }
        server.close();
        assertThat(server.problems()).isEmpty();
    }

    /** The binding on the server, prepared. */
    final RestBinding opened(String... more) throws DBException {
        expectPreparation();
        return unprepared(more);
    }

    /** The same, whose preparation the test has scripted itself. */
    final RestBinding unprepared(String... more) throws DBException {
        Properties properties = new Properties();
        properties.putAll(properties());
        properties.setProperty("rest.endpoints", server.url());
        properties.setProperty("fieldcount", "2");
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        db = new RestBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    /** Makes the insert and the read of the contract, and compares the names of their statuses. */
    static void assertOutcomes(RestBinding db, String write, String read) {
        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .extracting(Status::getName)
                .isEqualTo(write);
        assertThat(db.read("usertable", "k", null, new HashMap<>()))
                .extracting(Status::getName)
                .isEqualTo(read);
    }

    static Map<String, ByteIterator> values(String... namesAndValues) {
        Map<String, ByteIterator> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put(
                    namesAndValues[i],
                    new ByteArrayByteIterator(namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8)));
        }
        return values;
    }

    static BulkInserts.Row row(String key, String... namesAndValues) {
        return new BulkInserts.Row(key, values(namesAndValues));
    }

    static Map<String, String> texts(Map<String, ByteIterator> row) {
        Map<String, String> texts = new TreeMap<>();
        row.forEach((name, value) -> texts.put(name, new String(value.toArray(), StandardCharsets.UTF_8)));
        return texts;
    }

    /** The rows of a scan that must succeed. */
    static List<Map<String, String>> scanned(RestBinding db, String start, int count, java.util.Set<String> fields) {
        Vector<HashMap<String, ByteIterator>> result = new Vector<>();
        assertThat(db.scan("usertable", start, count, fields, result)).isSameAs(Status.OK);
        return result.stream().map(DialectContract::texts).toList();
    }

    private Status insert() {
        return db.insert("usertable", "k", values("field0", "a", "field1", "b"));
    }

    private Status read(Map<String, ByteIterator> result) {
        return db.read("usertable", "k", null, result);
    }

    @Test
    void repliesMayBeWholeChunkedOrCompressed() throws DBException {
        opened();
        List<ScriptedServer.Answer> ways =
                List.of(Answers.json(200, row()), Answers.chunked(200, row()), Answers.gzip(200, row()));

        for (ScriptedServer.Answer way : ways) {
            server.expect(readRequest(), way);
            Map<String, ByteIterator> result = new HashMap<>();
            assertThat(read(result)).isSameAs(Status.OK);
            assertThat(texts(result)).isEqualTo(Map.of("field0", "a", "field1", "b"));
        }
    }

    @Test
    void aWriteWhoseLinkDiesIsUnknownAndTheNextOneGoesOn() throws DBException {
        opened();
        for (ScriptedServer.Answer death : List.of(Answers.reset(), Answers.halfClosed("{\"some\":\"answer\"}"))) {
            server.expect(insertRequest(), death).expect(readRequest(), Answers.json(200, row()));

            assertThat(insert()).isSameAs(Statuses.UNKNOWN);
            assertThat(read(new HashMap<>())).isSameAs(Status.OK);
        }
    }

    @Test
    void aReadWhoseLinkDiesHasFailed() throws DBException {
        opened();
        server.expect(readRequest(), Answers.halfClosed(row()));

        assertThat(read(new HashMap<>())).isSameAs(Statuses.UNAVAILABLE);
    }

    @Test
    void aWriteWithoutAnAnswerInTimeIsUnknown() throws DBException {
        opened("rest.timeout", "1500ms");
        server.expect(insertRequest(), Answers.silence());

        assertThat(insert()).isSameAs(Statuses.UNKNOWN);
    }

    @Test
    void aBodyThatStopsInTheMiddleIsATimeOut() throws DBException {
        opened("rest.timeout", "1500ms");
        server.expect(insertRequest(), Answers.slowBody(row())).expect(readRequest(), Answers.slowBody(row()));

        assertThat(insert()).isSameAs(Statuses.UNKNOWN);
        assertThat(read(new HashMap<>())).isSameAs(Statuses.TIMEOUT);
    }

    /** What a server, or a proxy before it, says while it is not ready; then it is. */
    @Test
    void duringAFailoverNothingIsOkAndAfterwardsAllIs() throws DBException {
        opened();
        ScriptedServer.Answer away = Answers.text(503, "<html>no server is available</html>", "Retry-After", "1");
        server.expect(insertRequest(), away)
                .expect(readRequest(), away)
                .expect(readRequest(), Answers.json(200, row()));

        assertThat(insert()).isIn(Statuses.UNKNOWN, Statuses.UNAVAILABLE, Statuses.TEMPORARY);
        assertThat(read(new HashMap<>())).isNotSameAs(Status.OK);
        assertThat(read(new HashMap<>())).isSameAs(Status.OK);
    }

    @Test
    void aReadWhoseLinkIsResetHasFailed() throws DBException {
        opened();
        server.expect(readRequest(), Answers.reset());

        assertThat(read(new HashMap<>())).isSameAs(Statuses.UNAVAILABLE);
    }

    @Test
    void tooManyRequestsIsTemporaryAndNothingIsTriedAgain() throws DBException {
        opened();
        server.expect(insertRequest(), Answers.text(429, "slow down", "Retry-After", "1"))
                .expect(readRequest(), Answers.text(429, "slow down", "Retry-After", "1"));

        assertThat(insert()).isSameAs(Statuses.TEMPORARY);
        assertThat(read(new HashMap<>())).isSameAs(Statuses.TEMPORARY);
    }

    @Test
    void anUnknownCodeOrAnAnswerOfNoSenseIsNeverOk() throws DBException {
        opened();
        server.expect(insertRequest(), Answers.text(418, "a teapot"))
                .expect(readRequest(), Answers.text(418, "a teapot"))
                .expect(insertRequest(), Answers.text(502, "<html>from a proxy</html>"))
                .expect(readRequest(), Answers.text(200, "<html>from a proxy</html>"));

        assertThat(insert()).isSameAs(Statuses.UNKNOWN);
        assertThat(read(new HashMap<>())).isSameAs(Statuses.FAILED);
        assertThat(insert()).isSameAs(Statuses.UNKNOWN);
        assertThat(read(new HashMap<>())).isSameAs(Statuses.FAILED);
    }
}
