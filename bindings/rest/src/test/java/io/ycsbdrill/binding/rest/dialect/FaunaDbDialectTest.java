package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.ScriptedServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of FaunaDB's query endpoint. */
class FaunaDbDialectTest extends DialectContract {
    private static final String DATA_TRUE = answer("true");

    private static String query(String query, String arguments) {
        return "POST /query/1 {\"query\":\"" + query + "\",\"arguments\":{" + arguments + "}}";
    }

    private static String answer(String data) {
        return answer(data, 1714000000000000L);
    }

    private static String answer(String data, long moment) {
        return "{\"data\":" + data + ",\"txn_ts\":" + moment + ",\"stats\":{\"read_ops\":1,\"query_time_ms\":7,"
                + "\"rate_limits_hit\":[]},\"schema_version\":1}";
    }

    private static String error(String code) {
        return "{\"error\":{\"code\":\"" + code + "\",\"message\":\"m\"},\"summary\":\"s\",\"stats\":{}}";
    }

    @Override
    Map<String, String> properties() {
        return Map.of("rest.dialect", "faunadb", "rest.token", "secret", "rest.faunadb.create", "false");
    }

    @Override
    void expectPreparation() {
        server.always("GET /ping?scope=write", Answers.json(200, "{\"resource\":\"Scope write is OK\"}"))
                .expect(exists(), Answers.json(200, DATA_TRUE));
    }

    private static String exists() {
        return query("Collection.byName(name).exists()", "\"name\":\"usertable\"");
    }

    @Override
    String readRequest() {
        return query("usertable.byKey(key) { field0, field1 }", "\"key\":\"k\"");
    }

    @Override
    String row() {
        return answer("{\"data\":[{\"field0\":\"a\",\"field1\":\"b\"}]}");
    }

    @Override
    String insertRequest() {
        return query("usertable.create(row)\\ntrue", "\"row\":{\"ycsb_key\":\"k\",\"field0\":\"a\",\"field1\":\"b\"}");
    }

    @Test
    void keyAndFormatGoWithEachQuery() throws DBException {
        RestBinding db = opened();
        server.expect(readRequest(), Answers.json(200, answer("{\"data\":[],\"after\":null}")));

        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
        assertThat(server.seen().get(1).headers())
                .containsEntry("authorization", "Bearer secret")
                .containsEntry("x-format", "simple")
                .containsEntry("x-query-timeout-ms", "120000");
    }

    /** Else a node may answer from before a write that another one has acknowledged. */
    @Test
    void everyQueryTellsWhatAnyThreadHasSeen() throws DBException {
        RestBinding db = opened();
        RestBinding other = unprepared();
        String none = "{\"data\":[],\"after\":null}";
        server.expect(readRequest(), Answers.json(200, answer(none, 1714000000000009L)))
                .expect(readRequest(), Answers.json(200, answer(none, 1714000000000004L)))
                .expect(readRequest(), Answers.json(200, answer(none, 1714000000000004L)));

        db.read("usertable", "k", null, new HashMap<>());
        other.read("usertable", "k", null, new HashMap<>());
        db.read("usertable", "k", null, new HashMap<>());
        db.cleanup();

        assertThat(server.seen().stream().map(seen -> seen.headers().get("x-last-txn-ts")))
                .containsExactly(null, "1714000000000000", "1714000000000009", "1714000000000009");
        assertThat(server.seen().stream().map(seen -> seen.headers().get("x-linearized")))
                .as("reads wait for that only")
                .containsOnlyNulls();
    }

    @ParameterizedTest
    @CsvSource({"PT0.05S,45", "PT10S,9000", "PT2M5S,120000", "PT1H,600000"})
    void theServerEndsAQueryBeforeTheClientGivesItUp(Duration timeout, String sent) {
        FaunaDbDialect dialect = new FaunaDbDialect("usertable", List.of("field0"), Optional.empty(), false);

        assertThat(dialect.headers(timeout)).containsEntry("x-query-timeout-ms", sent);
    }

    @Test
    void longerScansThanTheServerAllowsAreRefused() {
        Properties properties = new Properties();
        properties.putAll(Map.of("scanproportion", "0.95", "maxscanlength", "16001"));
        BindingProperties read = new BindingProperties(properties);
        FaunaDbDialect.of(read);

        assertThatThrownBy(() -> read.check("rest.")).hasMessageContaining("maxscanlength=16001: expected 1 to 16000");
    }

    @Test
    void documentsAreWrittenWithTheTimeAtWhichTheyExpire() throws DBException {
        RestBinding db = opened("record.ttl", "2m");
        String expiring = ", { ttl: Time.now().add(120, \\\"seconds\\\") })";
        String row = "let row = usertable.byKey(key).first()\\nif (row == null) { false } else { ";
        server.expect(
                        query(
                                row + "row.update(Object.assign(values" + expiring + ")\\n true }",
                                "\"key\":\"k\",\"values\":{\"field1\":\"z\"}"),
                        Answers.json(200, answer("true", 1714000000000001L)))
                .expect(
                        query(
                                "usertable.create(Object.assign(row" + expiring + ")\\ntrue",
                                "\"row\":{\"ycsb_key\":\"k\",\"field0\":\"a\",\"field1\":\"b\"}"),
                        Answers.json(200, answer("true", 1714000000000002L)));

        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Status.OK);
    }

    @Test
    void updateAndDeleteSayWhetherThereWasARow() throws DBException {
        RestBinding db = opened();
        String row = "let row = usertable.byKey(key).first()\\nif (row == null) { false } else { ";
        String update = query(row + "row.update(values)\\n true }", "\"key\":\"k\",\"values\":{\"field1\":\"z\"}");
        String delete = query(row + "row.delete()\\n true }", "\"key\":\"k\"");
        server.expect(update, Answers.json(200, DATA_TRUE))
                .expect(update, Answers.json(200, answer("false")))
                .expect(delete, Answers.json(200, DATA_TRUE))
                .expect(delete, Answers.json(200, answer("false")));

        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.NOT_FOUND);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.NOT_FOUND);
        assertThat(server.seen().stream().skip(1).map(seen -> seen.headers().get("x-linearized")))
                .as("a node that has not caught up would say that there is none")
                .containsExactly("true", "true", "true", "true");
    }

    @Test
    void manyRowsAreOneTransactionThatTellsOfEach() throws DBException {
        RestBinding db = opened();
        String bulk = query(
                "rows.map(row => if (usertable.byKey(row.ycsb_key).isEmpty()) { usertable.create(row)\\n true } else {"
                        + " false })",
                "\"rows\":[{\"ycsb_key\":\"k1\",\"field0\":\"a\"},{\"ycsb_key\":\"k2\",\"field0\":\"b\"}]");
        server.expect(bulk, Answers.json(200, answer("[true,false]")))
                .expect(bulk, Answers.json(200, answer("[true]")))
                .expect(bulk, Answers.json(400, error("constraint_failure")))
                .expect(bulk, Answers.json(409, error("contended_transaction")))
                .expect(bulk, Answers.json(503, error("time_out")))
                .expect(bulk, Answers.reset());

        assertThat(inserted(db)).containsExactly(Status.OK, Statuses.DUPLICATE_KEY);
        assertThat(inserted(db)).containsOnly(Statuses.UNKNOWN);
        assertThat(inserted(db)).containsOnly(Statuses.FAILED);
        assertThat(inserted(db)).containsOnly(Statuses.TEMPORARY);
        assertThat(inserted(db)).containsOnly(Statuses.UNKNOWN);
        assertThat(inserted(db)).hasSize(2).containsOnly(Statuses.UNKNOWN);
    }

    private static List<Status> inserted(RestBinding db) {
        return db.insertAll("usertable", List.of(row("k1", "field0", "a"), row("k2", "field0", "b")));
    }

    @Test
    void aScanIsAPageOfTheOrderedIndex() throws DBException {
        RestBinding db = opened();
        server.expect(
                query("usertable.inOrder({ from: start }).pageSize(count) { field1 }", "\"start\":\"k\",\"count\":2"),
                Answers.json(200, answer("{\"data\":[{\"field1\":\"b\"},{\"field1\":null}],\"after\":\"cursor\"}")));

        assertThat(scanned(db, "k", 2, Set.of("field1"))).containsExactly(Map.of("field1", "b"), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "400, constraint_failure, DUPLICATE_KEY, DUPLICATE_KEY",
        "400, invalid_query, BAD_REQUEST, BAD_REQUEST",
        "401, unauthorized, FORBIDDEN, FORBIDDEN",
        "409, contended_transaction, TEMPORARY, TEMPORARY",
        "429, limit_exceeded, TEMPORARY, TEMPORARY",
        "440, time_out, UNKNOWN, TIMEOUT",
        "500, internal_error, UNKNOWN, FAILED",
        "503, time_out, UNKNOWN, TIMEOUT",
        "504, gateway_timeout, UNKNOWN, FAILED"
    })
    void errorsMeanWhatFaunaSays(int status, String code, String write, String read) throws DBException {
        RestBinding db = opened();
        server.expect(insertRequest(), Answers.json(status, error(code)))
                .expect(readRequest(), Answers.json(status, error(code)));

        assertOutcomes(db, write, read);
    }

    @Test
    void theCollectionIsMadeWithItsIndexes() throws DBException {
        responds()
                .expect(
                        query(
                                "if (Collection.byName(name).exists()) { true } else { Collection.create({ name: name, indexes: {"
                                        + " byKey: { terms: [{ field: \\\"ycsb_key\\\" }] }, inOrder: { values: [{ field:"
                                        + " \\\"ycsb_key\\\" }] } }, constraints: [{ unique: [\\\"ycsb_key\\\"] }] })\\n true }",
                                "\"name\":\"usertable\""),
                        Answers.json(200, DATA_TRUE));

        unprepared("rest.faunadb.create", "true");

        assertThat(server.seen()).hasSize(1);
    }

    /** To a first question. */
    private ScriptedServer responds() {
        return server.always("GET /ping?scope=write", Answers.json(200, "{\"resource\":\"Scope write is OK\"}"));
    }

    @Test
    void whatKeepsTheRunFromStartingIsExplained() {
        responds()
                .expect(exists(), Answers.json(200, answer("false")))
                .expect(exists(), Answers.json(401, error("unauthorized")));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("collection usertable does not exist");
        assertThatThrownBy(this::unprepared).isInstanceOf(DBException.class).hasMessageContaining("rest.token");
        assertThatThrownBy(() -> unprepared("table", "user-table"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("letters, digits and _");
    }
}
