package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.ScriptedServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of a load by HarperDB's operations API. Nothing of HarperDB is started, or needed. */
@Timeout(60)
class HarperDbOperationsDialectTest {
    private static final String DESCRIBE =
            "POST / {\"operation\":\"describe_table\",\"database\":\"ycsb\",\"table\":\"usertable\"}";
    private static final String INSERT =
            "POST / {\"operation\":\"insert\",\"database\":\"ycsb\",\"table\":\"usertable\","
                    + "\"records\":[{\"id\":\"k1\",\"field0\":\"a\"},{\"id\":\"k2\",\"field0\":\"b\"},{\"id\":\"k3\",\"field0\":\"c\"}]}";

    private ScriptedServer server;
    private RestBinding db;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer().always("GET /health", Answers.text(200, "HarperDB is running."));
        db = new RestBinding();
        Properties properties = new Properties();
        properties.setProperty("rest.dialect", "harperdb-operations");
        properties.setProperty("rest.endpoints", server.url());
        db.setProperties(properties);
    }

    @AfterEach
    void everythingCameAndNothingElse() throws Exception {
        db.cleanup();
        server.close();
        assertThat(server.problems()).isEmpty();
    }

    private List<Status> inserted() {
        return db.insertAll("usertable", List.of(row("k1", "a"), row("k2", "b"), row("k3", "c")));
    }

    private static BulkInserts.Row row(String key, String value) {
        return DialectContract.row(key, "field0", value);
    }

    @Test
    void eachRowIsInsertedSkippedOrUnknown() throws DBException {
        server.expect(DESCRIBE, Answers.json(200, "{\"name\":\"usertable\"}"))
                .expect(
                        INSERT,
                        Answers.json(
                                200,
                                "{\"message\":\"inserted 1 of 3 records\",\"inserted_hashes\":[\"k1\"],\"skipped_hashes\":"
                                        + "[\"k2\"]}"));
        db.init();

        assertThat(inserted()).containsExactly(Status.OK, Statuses.DUPLICATE_KEY, Statuses.UNKNOWN);
    }

    @Test
    void whatFailsAsAWholeIsTheSameForAll() throws DBException {
        server.expect(DESCRIBE, Answers.gzip(200, "{}"))
                .expect(INSERT, Answers.json(400, "{\"error\":\"bad\"}"))
                .expect(INSERT, Answers.text(429, "slow down", "Retry-After", "1"))
                .expect(INSERT, Answers.text(503, "failover"))
                .expect(INSERT, Answers.chunked(200, "{\"message\":\"what?\"}"))
                .expect(INSERT, Answers.text(200, "<html>"))
                .expect(INSERT, Answers.reset())
                .expect(INSERT, Answers.halfClosed("{\"inserted_hashes\":[\"k1\"]}"));
        db.init();

        assertThat(inserted()).hasSize(3).containsOnly(Status.BAD_REQUEST);
        assertThat(inserted()).containsOnly(Statuses.TEMPORARY);
        for (int i = 0; i < 5; i++) {
            assertThat(inserted()).hasSize(3).containsOnly(Statuses.UNKNOWN);
        }
    }

    @Test
    void itIsForLoadsOnly() throws DBException {
        server.expect(DESCRIBE, Answers.json(200, "{}"));
        db.init();

        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_IMPLEMENTED);
        assertThat(db.update("usertable", "k", Map.of())).isSameAs(Status.NOT_IMPLEMENTED);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.NOT_IMPLEMENTED);
    }

    @Test
    void whatKeepsTheLoadFromStartingIsExplained() {
        server.expect(DESCRIBE, Answers.json(404, "\"Not found\""));

        assertThatThrownBy(db::init)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("no table ycsb.usertable")
                .hasMessageContaining("port 9925");
    }
}
