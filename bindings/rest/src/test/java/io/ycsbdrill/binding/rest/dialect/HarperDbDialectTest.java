package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.ScriptedServer;
import io.ycsbdrill.binding.rest.http.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The requests and replies of HarperDB's REST interface. Nothing of HarperDB is started, or needed. */
class HarperDbDialectTest extends DialectContract {
    private static final String FIRST = "GET /usertable/?id=ge=%20&limit(1)";

    @Override
    Map<String, String> properties() {
        return Map.of("rest.dialect", "harperdb", "rest.user", "u", "rest.password", "p");
    }

    @Override
    void expectPreparation() {
        server.always(FIRST, Answers.chunked(200, "[]"));
    }

    @Override
    String readRequest() {
        return "GET /usertable/k";
    }

    @Override
    String row() {
        return "{\"field0\":\"a\",\"field1\":\"b\",\"id\":\"k\"}";
    }

    @Override
    String insertRequest() {
        return "POST /usertable/ {\"id\":\"k\",\"field0\":\"a\",\"field1\":\"b\"}";
    }

    @Test
    void aTimeToLiveIsThatOfTheTable() throws DBException {
        String port = Integer.toString(URI.create(server.url()).getPort());
        String describe = "POST / {\"operation\":\"describe_table\",\"database\":\"ycsb\",\"table\":\"usertable\"}";
        server.expect(
                        describe,
                        Answers.json(200, "{\"name\":\"usertable\",\"attributes\":[{}],\"expiration\":\"120s\"}"))
                .expect(describe, Answers.json(200, "{\"name\":\"usertable\",\"expiration\":\"60s\"}"))
                .expect(describe, Answers.json(200, "{\"name\":\"usertable\"}"))
                .expect(describe, Answers.json(404, "{\"error\":\"Table 'ycsb.usertable' does not exist\"}"));
        String[] settings = {"record.ttl", "2m", "rest.harperdb.operations.port", port};

        opened(settings).cleanup();
        for (String problem : List.of(
                "record.ttl=120s, but table ycsb.usertable was defined with an expiration of 60s",
                "record.ttl=120s, but table ycsb.usertable keeps its rows",
                "no table ycsb.usertable")) {
            assertThatThrownBy(() -> opened(settings))
                    .isInstanceOf(DBException.class)
                    .hasMessageContaining(problem);
        }
    }

    @Test
    void writesAreAnsweredAsHarperDoes() throws DBException {
        RestBinding db = opened();
        server.expect(insertRequest(), Answers.json(201, "\"k\"", "Location", "k", "Server-Timing", "hdb;dur=0.48"))
                .expect(insertRequest(), Answers.json(409, "\"ClientError: Record already exists\""))
                .expect(insertRequest(), Answers.json(500, "\"SyntaxError: something\""))
                .expect(insertRequest(), Answers.json(404, "\"not a table\""))
                .expect("PATCH /usertable/k {\"field1\":\"z\"}", Answers.status(204))
                .expect("DELETE /usertable/a%2Fb%20c", Answers.json(200, "true"));

        assertThat(inserted(db)).isSameAs(Status.OK);
        assertThat(inserted(db)).isSameAs(Statuses.DUPLICATE_KEY);
        assertThat(inserted(db)).isSameAs(Statuses.UNKNOWN);
        assertThat(inserted(db)).isSameAs(Statuses.FAILED);
        assertThat(db.update("usertable", "k", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "a/b c")).isSameAs(Status.OK);
        assertThat(server.seen().get(0).headers()).containsEntry("authorization", "Basic dTpw");
    }

    /** The server takes what follows a dot for the name of a format, or of a field, and cuts it off. */
    @Test
    void aKeyWithDotsIsARowOfItsOwn() throws DBException {
        RestBinding db = opened();
        server.expect("GET /usertable/a%2Ejson", Answers.status(404))
                .expect("PATCH /usertable/%2Eb%2E%2E1%2Ecsv {\"field1\":\"z\"}", Answers.status(204))
                .expect("DELETE /usertable/k%2E", Answers.json(200, "true"));

        assertThat(db.read("usertable", "a.json", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
        assertThat(db.update("usertable", ".b..1.csv", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k.")).isSameAs(Status.OK);
    }

    @Test
    void aFieldCannotHaveTheNameOfTheKey() throws DBException {
        RestBinding db = opened();

        assertThat(db.insert("usertable", "k", values("id", "other"))).isSameAs(Status.BAD_REQUEST);
        assertThat(db.update("usertable", "k", values("id", "other"))).isSameAs(Status.BAD_REQUEST);
    }

    @Test
    void theOperationsApiHasItsOwnPortAndScheme() throws DBException {
        Endpoint rest = new Endpoint(true, "h", 9926, "");

        assertThat(dialect(Map.of()).management(rest)).hasToString("https://h:9925");
        assertThat(dialect(Map.of("rest.harperdb.operations.scheme", "http", "rest.harperdb.operations.port", "1"))
                        .management(rest))
                .hasToString("http://h:1");
        assertThatThrownBy(() -> dialect(Map.of("rest.harperdb.operations.scheme", "tls")))
                .hasMessageContaining("rest.harperdb.operations.scheme=tls: expected http or https");
    }

    private static HarperDbDialect dialect(Map<String, String> given) throws DBException {
        Properties properties = new Properties();
        properties.putAll(given);
        BindingProperties read = new BindingProperties(properties);
        HarperDbDialect dialect = HarperDbDialect.of(read);
        read.check("rest.");
        return dialect;
    }

    private static Status inserted(RestBinding db) {
        return db.insert("usertable", "k", values("field0", "a", "field1", "b"));
    }

    @Test
    void aMissingRowHasNoBodyAndAMissingFieldHasOne() throws DBException {
        RestBinding db = opened();
        server.expect(readRequest(), Answers.status(404))
                .expect(
                        "GET /usertable/k?select(id,field1)",
                        Answers.json(404, "\"HdbError: field1 is not a defined attribute\""))
                .expect("GET /usertable/k?select(id,field1)", Answers.json(200, "{\"id\":\"k\",\"field1\":\"b\"}"));
        Map<String, ByteIterator> result = new HashMap<>();

        assertThat(db.read("usertable", "k", null, result)).isSameAs(Status.NOT_FOUND);
        assertThat(db.read("usertable", "k", Set.of("field1"), result)).isSameAs(Statuses.FAILED);
        assertThat(db.read("usertable", "k", Set.of("field1"), result)).isSameAs(Status.OK);
        assertThat(texts(result)).isEqualTo(Map.of("field1", "b"));
    }

    @Test
    void aScanHasAConditionOnTheKeyAndALimit() throws DBException {
        RestBinding db = opened();
        server.expect(
                        "GET /usertable/?id=ge=k%201&limit(2)",
                        Answers.chunked(200, "[" + row() + ",{\"id\":\"l\",\"field0\":\"c\"}]"))
                .expect("GET /usertable/?id=ge=k&limit(2)&select(id,field0)", Answers.chunked(200, "[]"));

        assertThat(scanned(db, "k 1", 2, null))
                .containsExactly(Map.of("field0", "a", "field1", "b"), Map.of("field0", "c"));
        assertThat(scanned(db, "k", 2, Set.of("field0"))).isEmpty();
    }

    @Test
    void eachServerIsReadByItself() throws Exception {
        try (ScriptedServer other = new ScriptedServer()) {
            other.always(FIRST, Answers.chunked(200, "[]"));
            RestBinding db = opened("rest.endpoints", server.url() + "," + other.url());

            NodeReads.Nodes nodes = db.nodes();

            assertThat(nodes.copies()).isEqualTo(2);
            assertThat(nodes.settle()).isEqualTo(Duration.ofSeconds(30));
            assertThat(nodes.nodes()).extracting(NodeReads.Node::name).containsExactly(server.url(), other.url());
            server.expect(readRequest(), Answers.json(200, row()));
            other.expect(readRequest(), Answers.status(404));
            assertThat(readOf(nodes.nodes().get(0))).isSameAs(Status.OK);
            assertThat(readOf(nodes.nodes().get(1))).isSameAs(Status.NOT_FOUND);
            assertThat(other.problems()).isEmpty();
        }
    }

    private Status readOf(NodeReads.Node node) throws DBException {
        Properties properties = new Properties();
        properties.putAll(properties());
        properties.putAll(node.properties());
        RestBinding db = new RestBinding();
        db.setProperties(properties);
        db.init();
        try {
            return db.read("usertable", "k", null, new HashMap<>());
        } finally {
            db.cleanup();
        }
    }

    @Test
    void oneServerIsNotCompared() throws Exception {
        assertThat(opened().nodes().reason()).contains("rest.endpoints names one server");
    }

    @Test
    void anUpdateOfWholeRowsReplacesThem() throws DBException {
        RestBinding db = opened("rest.harperdb.replace", "true", "writeallfields", "true");
        server.expect("PUT /usertable/k {\"field0\":\"y\",\"field1\":\"z\"}", Answers.status(204));

        assertThat(db.update("usertable", "k", values("field0", "y", "field1", "z")))
                .isSameAs(Status.OK);
    }

    @Test
    void replacingRowsByOneFieldIsRefused() {
        assertThatThrownBy(() -> unprepared("rest.harperdb.replace", "true"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("writeallfields=true with it");
    }

    @Test
    void manyRowsGoOneByOne() throws DBException {
        RestBinding db = opened();
        server.expect("POST /usertable/ {\"id\":\"k1\",\"field0\":\"a\"}", Answers.json(201, "\"k1\""))
                .expect("POST /usertable/ {\"id\":\"k2\",\"field0\":\"b\"}", Answers.json(409, "\"exists\""));

        assertThat(db.insertAll("usertable", List.of(row("k1", "field0", "a"), row("k2", "field0", "b"))))
                .containsExactly(Status.OK, Statuses.DUPLICATE_KEY);
    }

    @Test
    void whatKeepsTheRunFromStartingIsExplained() {
        server.expect(FIRST, Answers.json(404, "\"Not found\""))
                .expect(FIRST, Answers.json(401, "{\"error\":\"Login failed\"}"));

        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("there is nothing at /usertable/")
                .hasMessageContaining("@export");
        assertThatThrownBy(this::unprepared)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("Login failed")
                .hasMessageContaining("rest.user");
    }
}
