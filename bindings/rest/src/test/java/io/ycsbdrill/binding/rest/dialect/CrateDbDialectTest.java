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
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of CrateDB's {@code _sql}. */
class CrateDbDialectTest extends DialectContract {
    private static final String CREATE =
            "create table if not exists \\\"usertable\\\" (\\\"ycsb_key\\\" text primary key,"
                    + " \\\"field0\\\" text, \\\"field1\\\" text)";
    private static final String LAYOUT =
            sql("select number_of_shards, number_of_replicas from information_schema.tables where table_schema = ? and"
                    + " table_name = ?\",\"args\":[\"doc\",\"usertable\"]");
    private static final String COLUMNS =
            sql("select \\\"ycsb_key\\\", \\\"field0\\\", \\\"field1\\\" from \\\"usertable\\\" limit 0\"");
    private static final String DONE = "{\"cols\":[],\"rows\":[[]],\"rowcount\":1,\"duration\":12.3}";
    private static final String NONE = "{\"cols\":[],\"rows\":[[]],\"rowcount\":0,\"duration\":2.3}";

    /** The statement ends with its quotation mark, and may be followed by arguments. */
    private static String sql(String statementAndMore) {
        return "POST /_sql {\"stmt\":\"" + statementAndMore + "}";
    }

    private static String error(int code) {
        return "{\"error\":{\"code\":" + code + ",\"message\":\"SomeException[text {with} braces]\"}}";
    }

    private static String layout(int shards, String replicas) {
        return "{\"cols\":[\"number_of_shards\",\"number_of_replicas\"],\"rows\":[[" + shards + ",\"" + replicas
                + "\"]],\"rowcount\":1,\"duration\":1}";
    }

    @Override
    Map<String, String> properties() {
        return Map.of("rest.dialect", "cratedb");
    }

    @Override
    void expectPreparation() {
        server.always(COLUMNS, Answers.json(200, "{\"cols\":[],\"rows\":[],\"rowcount\":0,\"duration\":1}"))
                .always("GET /", Answers.json(200, "{\"ok\":true,\"status\":200,\"name\":\"n1\"}"))
                .expect(sql(CREATE + "\""), Answers.json(200, DONE))
                .expect(LAYOUT, Answers.json(200, layout(4, "0-1")));
    }

    @Override
    String readRequest() {
        return sql("select * from \\\"usertable\\\" where \\\"ycsb_key\\\" = ?\",\"args\":[\"k\"]");
    }

    @Override
    String row() {
        return "{\"cols\":[\"ycsb_key\",\"field0\",\"field1\"],\"rows\":[[\"k\",\"a\",\"b\"]],\"rowcount\":1,\"duration\":0.4}";
    }

    private static String insertion(String more) {
        return sql(
                "insert into \\\"usertable\\\" (\\\"ycsb_key\\\", \\\"field0\\\", \\\"field1\\\") values (?, ?, ?)\","
                        + more);
    }

    @Override
    String insertRequest() {
        return insertion("\"args\":[\"k\",\"a\",\"b\"]");
    }

    @Test
    void aChangeOfNoRowIsNotFound() throws DBException {
        RestBinding db = opened();
        String update = sql(
                "update \\\"usertable\\\" set \\\"field1\\\" = ? where \\\"ycsb_key\\\" = ?\",\"args\":[\"z\",\"k\"]");
        String delete = sql("delete from \\\"usertable\\\" where \\\"ycsb_key\\\" = ?\",\"args\":[\"k\"]");
        server.expect(update, Answers.json(200, DONE))
                .expect(update, Answers.json(200, NONE))
                .expect(update, Answers.json(200, DONE.replace("\"rowcount\":1", "\"rowcount\":-1")))
                .expect(delete, Answers.json(200, DONE))
                .expect(delete, Answers.json(200, NONE))
                .expect(
                        readRequest(),
                        Answers.json(200, "{\"cols\":[\"ycsb_key\"],\"rows\":[],\"rowcount\":0,\"duration\":1}"));

        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.NOT_FOUND);
        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Statuses.UNKNOWN);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.NOT_FOUND);
        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
    }

    @Test
    void eachRowOfABulkHasItsOwnResult() throws DBException {
        RestBinding db = opened();
        server.expect(
                insertion("\"bulk_args\":[[\"k1\",\"a\",\"b\"],[\"k2\",\"c\",null],[\"k3\",\"e\",\"f\"]]"),
                Answers.json(
                        200,
                        "{\"cols\":[],\"duration\":823.7,\"results\":[{\"rowcount\":1},"
                                + "{\"rowcount\":-2,\"error\":{\"code\":4091,\"message\":\"DuplicateKeyException[x]\"}},"
                                + "{\"rowcount\":-2}]}"));

        List<Status> statuses = db.insertAll(
                "usertable",
                List.of(
                        row("k1", "field0", "a", "field1", "b"),
                        row("k2", "field0", "c"),
                        row("k3", "field0", "e", "field1", "f")));

        // The last one failed, and nobody says why.
        assertThat(statuses).containsExactly(Status.OK, Statuses.DUPLICATE_KEY, Statuses.UNKNOWN);
    }

    @Test
    void aBulkWithTooFewResultsIsUnknown() throws DBException {
        RestBinding db = opened();
        server.expect(
                insertion("\"bulk_args\":[[\"k1\",\"a\",\"b\"],[\"k2\",\"c\",\"d\"]]"),
                Answers.json(200, "{\"cols\":[],\"duration\":1,\"results\":[{\"rowcount\":1}]}"));

        assertThat(db.insertAll(
                        "usertable",
                        List.of(row("k1", "field0", "a", "field1", "b"), row("k2", "field0", "c", "field1", "d"))))
                .containsExactly(Statuses.UNKNOWN, Statuses.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "409, 4091, DUPLICATE_KEY, DUPLICATE_KEY",
        "404, 4041, FAILED, FAILED",
        "400, 4000, BAD_REQUEST, BAD_REQUEST",
        "409, 4092, TEMPORARY, TEMPORARY",
        "503, 5031, TEMPORARY, TEMPORARY",
        "503, 5032, UNKNOWN, TEMPORARY",
        "500, 5002, UNKNOWN, TEMPORARY",
        "500, 5000, UNKNOWN, FAILED",
        "500, 5999, UNKNOWN, FAILED",
        "401, 4011, FORBIDDEN, FORBIDDEN",
        "409, 4099, UNKNOWN, FAILED"
    })
    void cratesOwnCodeCountsMoreThanThatOfHttp(int status, int code, String write, String read) throws DBException {
        RestBinding db = opened();
        server.expect(insertRequest(), Answers.json(status, error(code)))
                .expect(readRequest(), Answers.json(status, error(code)));

        assertOutcomes(db, write, read);
    }

    @Test
    void aScanGoesInTheOrderOfTheKeys() throws DBException {
        RestBinding db = opened();
        server.expect(
                sql(
                        "select \\\"field1\\\" from \\\"usertable\\\" where \\\"ycsb_key\\\" >= ? order by \\\"ycsb_key\\\" limit 3\","
                                + "\"args\":[\"k\"]"),
                Answers.json(200, "{\"cols\":[\"field1\"],\"rows\":[[\"b\"],[null]],\"rowcount\":2,\"duration\":1.5}"));

        assertThat(scanned(db, "k", 3, Set.of("field1"))).containsExactly(Map.of("field1", "b"), Map.of());
    }

    @Test
    void theTableIsMadeAsAskedInTheSchemaThatIsNamed() throws DBException {
        server.always(COLUMNS, Answers.json(200, "{\"cols\":[],\"rows\":[],\"rowcount\":0,\"duration\":1}"))
                .always("GET /", Answers.json(200, "{\"ok\":true}"))
                .expect(
                        sql(CREATE + " clustered into 2 shards with (number_of_replicas = '1')\""),
                        Answers.json(200, DONE))
                .expect(LAYOUT.replace("doc", "bench"), Answers.json(200, layout(2, "1")));

        unprepared("rest.cratedb.shards", "2", "rest.cratedb.replicas", "1", "rest.cratedb.schema", "bench");

        assertThat(server.seen().get(0).headers()).containsEntry("default-schema", "bench");
    }

    @Test
    void aTableWithAnotherLayoutIsRefusedBeforeTheRun() {
        server.always("GET /", Answers.json(200, "{\"ok\":true}"))
                .expect(sql(CREATE + " with (number_of_replicas = '1')\""), Answers.json(200, DONE))
                .expect(LAYOUT, Answers.json(200, layout(4, "0-1")));

        assertThatThrownBy(() -> unprepared("rest.cratedb.replicas", "1"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("has 4 shards and number_of_replicas 0-1");
    }

    @Test
    void aTableWithOtherColumnsIsRefusedBeforeTheRun() {
        server.always("GET /", Answers.json(200, "{\"ok\":true}"))
                .expect(LAYOUT, Answers.json(200, layout(4, "0-1")))
                .expect(COLUMNS, Answers.json(404, error(4043)));

        assertThatThrownBy(() -> unprepared("rest.cratedb.create", "false"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("cannot be read by its columns \"ycsb_key\", \"field0\", \"field1\"")
                .hasMessageContaining("4043");
    }

    @Test
    void aMissingTableThatIsNotToBeMadeIsNamed() {
        server.always("GET /", Answers.json(200, "{\"ok\":true}"))
                .expect(
                        LAYOUT,
                        Answers.json(200, "{\"cols\":[\"number_of_shards\",\"number_of_replicas\"],\"rows\":[]}"));

        assertThatThrownBy(() -> unprepared("rest.cratedb.create", "false"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("table doc.usertable does not exist");
    }

    @Test
    void aClusterWithoutAMasterSaysSoBeforeTheRun() {
        server.always("GET /", Answers.json(503, error(5031)));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("HTTP 503")
                .hasMessageContaining("5031");
    }
}
