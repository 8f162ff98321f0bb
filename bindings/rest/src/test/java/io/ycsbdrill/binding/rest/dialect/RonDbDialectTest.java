package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of RonDB's REST server, with tables of VARCHAR and VARBINARY columns. */
class RonDbDialectTest extends DialectContract {
    private static final String ABSENT = key("ycsb-drill-no-such-key");
    private static final String BOTH = "\"readColumns\":[{\"column\":\"FIELD0\"},{\"column\":\"FIELD1\"}]";
    private static final String TABLE_TEST = "POST /0.1.0/ycsb/usertable/pk-read {" + ABSENT + "," + BOTH + "}";
    private static final String WRITE_TEST = "POST /0.1.0/batchwrite {\"operations\":["
            + item("pk-update", ABSENT + ",\"writeColumns\":[{\"column\":\"FIELD0\",\"value\":\"x\"}]") + "]}";
    private static final String ABSENT_ROW = "{\"result\":[{\"code\":404,\"body\":{\"data\":null}}]}";

    private static String key(String value) {
        return "\"filters\":[{\"column\":\"YCSB_KEY\",\"value\":\"" + value + "\"}]";
    }

    private static String item(String operation, String body) {
        return "{\"method\":\"POST\",\"relative-url\":\"ycsb/usertable/" + operation + "\",\"body\":{" + body + "}}";
    }

    private static String insertOf(String key, String a, String b) {
        return item(
                "pk-insert",
                key(key) + ",\"writeColumns\":[{\"column\":\"FIELD0\",\"value\":\"" + a
                        + "\"},{\"column\":\"FIELD1\",\"value\":\"" + b + "\"}]");
    }

    @Override
    Map<String, String> properties() {
        return Map.of("rest.dialect", "rondb", "rest.rondb.binary", "false");
    }

    @Override
    void expectPreparation() {
        server.always("GET /0.1.0/health", Answers.text(200, "1"))
                .expect(TABLE_TEST, Answers.text(404, "Not Found"))
                .expect(WRITE_TEST, Answers.json(200, ABSENT_ROW));
    }

    @Override
    String readRequest() {
        return "POST /0.1.0/ycsb/usertable/pk-read {" + key("k") + "," + BOTH + "}";
    }

    @Override
    String row() {
        return "{\"operationId\":\"\",\"data\":{\"FIELD0\":\"a\",\"FIELD1\":\"b\"}}";
    }

    @Override
    String insertRequest() {
        return "POST /0.1.0/batchwrite {\"operations\":[" + insertOf("k", "a", "b") + "]}";
    }

    @Test
    void aMissingRowIsNotFoundButAMissingTableIsAFailure() throws DBException {
        RestBinding db = opened();
        server.expect(readRequest(), Answers.text(404, "Not Found"))
                .expect(
                        readRequest(),
                        Answers.text(404, "Database/Table does not exist. Database: ycsb Table: usertable"));

        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Statuses.FAILED);
    }

    @Test
    void updateAndDeleteOfAMissingRowAreNotFound() throws DBException {
        RestBinding db = opened();
        server.expect(
                        "POST /0.1.0/batchwrite {\"operations\":["
                                + item(
                                        "pk-update",
                                        key("k") + ",\"writeColumns\":[{\"column\":\"FIELD1\",\"value\":\"z\"}]")
                                + "]}",
                        Answers.json(200, ABSENT_ROW))
                .expect(
                        "DELETE /0.1.0/batchdelete {\"operations\":[" + item("pk-delete", key("k")) + "]}",
                        Answers.json(200, ABSENT_ROW));

        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.NOT_FOUND);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.NOT_FOUND);
    }

    @Test
    void eachRowOfABatchHasItsOwnResult() throws DBException {
        RestBinding db = opened();
        String both = "POST /0.1.0/batchwrite {\"operations\":[" + insertOf("k1", "a", "b") + ","
                + insertOf("k2", "c", "d") + "]}";
        server.expect(
                        both,
                        Answers.json(
                                200,
                                "{\"result\":[{\"code\":200,\"body\":{}},{\"code\":409,\"body\":{\"data\":null}}]}"))
                .expect(both, Answers.text(409, "Error: SubOperation (Unidentified Operation) failed Error: code: 630"))
                .expect(both, Answers.text(400, "Wrong data type."));

        assertThat(inserted(db)).containsExactly(Status.OK, Statuses.DUPLICATE_KEY);
        // The rows are transactions of their own: the other one may have been committed.
        assertThat(inserted(db)).containsExactly(Statuses.UNKNOWN, Statuses.UNKNOWN);
        assertThat(inserted(db)).containsExactly(Status.BAD_REQUEST, Status.BAD_REQUEST);
    }

    private static List<Status> inserted(RestBinding db) {
        return db.insertAll(
                "usertable", List.of(row("k1", "field0", "a", "field1", "b"), row("k2", "field0", "c", "field1", "d")));
    }

    @Test
    void aScanAsksForTheKeyTooAndGoesUpFromTheStart() throws DBException {
        RestBinding db = opened();
        server.expect(
                "POST /0.1.0/ycsb/usertable/scan {\"limit\":2,\"readColumns\":[{\"column\":\"YCSB_KEY\"},{\"column\":\"FIELD1\"}],"
                        + "\"index\":{\"name\":\"PRIMARY\",\"key_columns\":[\"YCSB_KEY\"],\"order\":\"asc\","
                        + "\"ranges\":[{\"lower\":{\"values\":[\"k\"],\"inclusive\":true}}]}}",
                Answers.json(
                        200,
                        "{\"data\":[{\"YCSB_KEY\":\"k\",\"FIELD1\":\"b\"},{\"YCSB_KEY\":\"l\",\"FIELD1\":null}],\"rows\":2}"));

        assertThat(scanned(db, "k", 2, Set.of("field1"))).containsExactly(Map.of("field1", "b"), Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-1 | -1 | -1 | UNKNOWN | FAILED",
                "1 | 4010 | 8 | UNKNOWN | TEMPORARY",
                "1 | 4031 | 8 | TEMPORARY | TEMPORARY",
                "1 | 4115 | 8 | UNKNOWN | FAILED",
                "3 | 4009 | 11 | UNKNOWN | FAILED",
                "2 | 827 | 6 | FAILED | FAILED",
                "2 | 630 | 3 | DUPLICATE_KEY | DUPLICATE_KEY"
            })
    void version2TellsWhatNdbThinksOfAnError(int status, int code, int classification, String write, String read)
            throws DBException {
        server.always("GET /0.1.0/health", Answers.text(200, "1"))
                .expect(TABLE_TEST.replace("0.1.0", "0.2.0"), Answers.json(200, row()))
                .expect(WRITE_TEST.replace("0.1.0", "0.2.0"), Answers.json(200, ABSENT_ROW));
        RestBinding db = unprepared("rest.rondb.version", "0.2.0");
        String error = "{\"error\":{\"code\":500,\"message\":\"m\",\"status\":" + status + ",\"classification\":"
                + classification + ",\"ndbCode\":" + code + ",\"mysqlCode\":-1}}";
        server.expect(insertRequest().replace("0.1.0", "0.2.0"), Answers.json(500, error))
                .expect(readRequest().replace("0.1.0", "0.2.0"), Answers.json(500, error));

        assertOutcomes(db, write, read);
    }

    @Test
    void version1TellsOfADuplicateWithinAText() throws DBException {
        RestBinding db = opened();
        server.expect(
                insertRequest(),
                Answers.text(
                        500,
                        "Error: SubOperation failed Error: code: 630 MySQL Code: 121 Message: Tuple already existed"));

        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Statuses.DUPLICATE_KEY);
    }

    @Test
    void binaryColumnsAndTheirKeysGoAsBase64() throws DBException {
        server.always("GET /0.1.0/health", Answers.text(200, "1"))
                .expect(
                        TABLE_TEST.replace("ycsb-drill-no-such-key", "eWNzYi1kcmlsbC1uby1zdWNoLWtleQ=="),
                        Answers.text(404, "Not Found"));
        RestBinding db = unprepared("rest.rondb.binary", "true", "rest.rondb.writes", "false");
        server.expect(
                readRequest().replace("\"k\"", "\"aw==\""),
                Answers.json(200, "{\"data\":{\"FIELD0\":\"YQ==\",\"FIELD1\":\"Yg==\"}}"));
        Map<String, ByteIterator> result = new HashMap<>();

        assertThat(db.read("usertable", "k", null, result)).isSameAs(Status.OK);
        assertThat(texts(result)).isEqualTo(Map.of("field0", "a", "field1", "b"));
    }

    @Test
    void aServerWithoutWritesSaysSoBeforeTheRun() {
        server.always("GET /0.1.0/health", Answers.text(200, "1"))
                .expect(TABLE_TEST, Answers.text(404, "Not Found"))
                .expect(WRITE_TEST, Answers.text(404, "404 page not found"));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("cannot write: it has no /0.1.0/batchwrite")
                .hasMessageContaining("native or jdbc");
    }

    @Test
    void aWorkloadThatOnlyReadsDoesNotAskForWrites() throws DBException {
        server.always("GET /0.1.0/health", Answers.text(200, "1")).expect(TABLE_TEST, Answers.json(200, row()));
        RestBinding db = unprepared("updateproportion", "0", "readproportion", "1");

        assertThat(db.update("usertable", "k", values("field0", "a"))).isSameAs(Status.NOT_IMPLEMENTED);
    }

    @Test
    void aMissingTableIsNamedBeforeTheRun() {
        server.always("GET /0.1.0/health", Answers.status(404))
                .always("GET /0.1.0/ping", Answers.status(200))
                .expect(TABLE_TEST, Answers.text(404, "Column does not exist. Column: FIELD0"));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("ycsb.usertable with the columns YCSB_KEY, FIELD0, FIELD1 cannot be read")
                .hasMessageContaining("Column does not exist");
    }

    @Test
    void aServerThatHasLostItsClusterIsNotUsed() {
        server.always("GET /0.1.0/health", Answers.text(200, "0"));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("no connection to the cluster");
    }

    @Test
    void aBodyThatDoesNotEndInTimeIsNoAnswer() throws DBException {
        RestBinding db = opened("rest.timeout", "1500ms");
        server.expect(insertRequest(), Answers.slowBody("{\"result\":[{\"code\":200,\"body\":{}}]}"));

        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Statuses.UNKNOWN);
    }
}
