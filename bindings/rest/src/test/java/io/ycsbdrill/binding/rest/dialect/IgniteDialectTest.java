package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.ScriptedServer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of the embedded nodes' HTTP endpoint, of which docs/embedded.md tells. No cluster is started. */
class IgniteDialectTest extends DialectContract {
    private static final String TABLE = "PUT /tables/usertable";

    @Override
    Map<String, String> properties() {
        return Map.of("rest.dialect", "ignite");
    }

    @Override
    void expectPreparation() {
        server.expect(TABLE, Answers.status(200)).always("GET /tables/usertable", Answers.status(200));
    }

    @Override
    String readRequest() {
        return "GET /tables/usertable/rows/k";
    }

    @Override
    String row() {
        return "{\"field0\":\"a\",\"field1\":\"b\"}";
    }

    @Override
    String insertRequest() {
        return "POST /tables/usertable/rows/k {\"field0\":\"a\",\"field1\":\"b\"}";
    }

    private static ScriptedServer.Answer error(int status, String text) {
        return Answers.json(status, "{\"error\":\"" + text + "\"}");
    }

    @Test
    void writesAreAnsweredAsAnEmbeddedNodeDoes() throws DBException {
        RestBinding db = opened();
        Map<String, ByteIterator> oneByte = Map.of("field0", new ByteArrayByteIterator(new byte[] {(byte) 0xE9}));
        server.expect("POST /tables/usertable/rows/a%2Fb%20c {\"field0\":\"é\"}", Answers.status(201))
                .expect("PATCH /tables/usertable/rows/k {\"field1\":\"z\"}", Answers.status(204))
                .expect("PATCH /tables/usertable/rows/none {\"field1\":\"z\"}", Answers.status(404))
                .expect("DELETE /tables/usertable/rows/k", Answers.status(204))
                .expect("DELETE /tables/usertable/rows/k", Answers.status(404));

        assertThat(db.insert("usertable", "a/b c", oneByte)).isSameAs(Status.OK);
        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.update("usertable", "none", values("field1", "z"))).isSameAs(Status.NOT_FOUND);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.NOT_FOUND);
    }

    @Test
    void eachErrorOfAnEmbeddedNodeHasItsMeaning() throws DBException {
        RestBinding db = opened();
        Map<ScriptedServer.Answer, List<String>> meanings = new LinkedHashMap<>();
        meanings.put(Answers.status(409), List.of("DUPLICATE_KEY", "DUPLICATE_KEY"));
        meanings.put(Answers.status(404), List.of("NOT_FOUND", "NOT_FOUND"));
        meanings.put(
                error(400, "unexpected: END_OBJECT instead of START_OBJECT"), List.of("BAD_REQUEST", "BAD_REQUEST"));
        meanings.put(error(410, "table usertable does not exist"), List.of("FAILED", "FAILED"));
        meanings.put(error(503, "the node is stopping"), List.of("UNAVAILABLE", "UNAVAILABLE"));
        meanings.put(error(500, "the cluster changed during the operation"), List.of("UNKNOWN", "FAILED"));

        meanings.forEach((answer, names) -> {
            server.expect(insertRequest(), answer).expect(readRequest(), answer);
            assertOutcomes(db, names.get(0), names.get(1));
        });
    }

    @Test
    void aReadNamesTheFieldsItWantsAndAScanItsStartAndItsLimit() throws DBException {
        RestBinding db = opened();
        server.expect("GET /tables/usertable/rows/k?field=field1", Answers.json(200, "{\"field1\":\"b\"}"))
                .expect(
                        "GET /tables/usertable/rows?from=k%201&limit=2",
                        Answers.json(200, "[" + row() + ",{\"field0\":\"c\"}]"))
                .expect(
                        "GET /tables/usertable/rows?from=k&limit=2&field=field0&field=field1",
                        Answers.chunked(200, "[]"));
        Map<String, ByteIterator> result = new HashMap<>();

        assertThat(db.read("usertable", "k", Set.of("field1"), result)).isSameAs(Status.OK);
        assertThat(texts(result)).isEqualTo(Map.of("field1", "b"));
        assertThat(scanned(db, "k 1", 2, null))
                .containsExactly(Map.of("field0", "a", "field1", "b"), Map.of("field0", "c"));
        assertThat(scanned(db, "k", 2, new LinkedHashSet<>(List.of("field0", "field1"))))
                .isEmpty();
    }

    @Test
    void manyRowsGoTogetherAndEachHasItsStatus() throws DBException {
        RestBinding db = opened();
        String request = "POST /tables/usertable/rows {\"k1\":{\"field0\":\"a\"},\"k2\":{\"field0\":\"b\"}}";
        Map<ScriptedServer.Answer, List<Status>> meanings = new LinkedHashMap<>();
        meanings.put(Answers.json(200, "[201,409]"), List.of(Status.OK, Statuses.DUPLICATE_KEY));
        meanings.put(Answers.json(200, "[503,500]"), List.of(Statuses.UNAVAILABLE, Statuses.UNKNOWN));
        meanings.put(Answers.json(200, "[201]"), List.of(Statuses.UNKNOWN, Statuses.UNKNOWN));
        meanings.put(error(503, "stopping"), List.of(Statuses.UNAVAILABLE, Statuses.UNAVAILABLE));
        meanings.put(Answers.reset(), List.of(Statuses.UNKNOWN, Statuses.UNKNOWN));

        meanings.forEach((answer, statuses) -> {
            server.expect(request, answer);
            List<BulkInserts.Row> rows = List.of(row("k1", "field0", "a"), row("k2", "field0", "b"));
            assertThat(db.insertAll("usertable", rows)).isEqualTo(statuses);
        });
    }

    @Test
    void whatKeepsTheRunFromStartingIsExplained() {
        server.always("GET /tables/usertable", Answers.status(404))
                .expect(TABLE, error(503, "the cluster is inactive"));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("no server responds as expected")
                .hasMessageContaining("the cluster is inactive");
    }
}
