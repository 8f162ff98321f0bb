package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Requests by templates, and replies of every kind, as a server that nobody has heard of may give them. */
class GenericDialectTest extends DialectContract {
    @TempDir
    Path directory;

    @Override
    Map<String, String> properties() {
        try {
            Path file = Files.writeString(directory.resolve("store.txt"), """
                    key = id
                    header.X-Store = yes
                    probe = GET /health

                    read.request = GET /db/{table}/{key}?f={names}
                    read.row = data.item
                    scan.request = POST /db/{table}/_list
                    scan.body = {"from": {key}, "most": {count}}
                    scan.rows = data.items
                    insert.request = POST /db/{table}
                    insert.body = {"id": {key}, "doc": {values}}
                    update.request = PATCH /db/{table}/{key}
                    update.body = {values}
                    update.status.200 = not-found
                    delete.request = DELETE /db/{table}/{key}
                    status.202 = unknown
                    status.404 = not-found
                    status.410 = failed
                    status.503 = unavailable
                    insert.status.409 = duplicate-key
                    """);
            return Map.of("rest.dialect", "generic", "rest.generic.file", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void expectPreparation() {
        server.always("GET /health", Answers.status(204));
    }

    @Override
    String readRequest() {
        return "GET /db/usertable/k?f=field0,field1";
    }

    @Override
    String row() {
        return "{\"took\":1,\"data\":{\"item\":{\"id\":\"k\",\"field0\":\"a\",\"field1\":\"b\"}}}";
    }

    @Override
    String insertRequest() {
        return "POST /db/usertable {\"id\": \"k\", \"doc\": {\"field0\":\"a\",\"field1\":\"b\"}}";
    }

    @Test
    void theFilesTableSaysWhatEachStatusMeans() throws DBException {
        RestBinding db = opened();
        Map<Integer, List<String>> meanings = new LinkedHashMap<>();
        meanings.put(404, List.of("NOT_FOUND", "NOT_FOUND"));
        meanings.put(409, List.of("DUPLICATE_KEY", "FAILED"));
        meanings.put(410, List.of("FAILED", "FAILED"));
        meanings.put(503, List.of("UNAVAILABLE", "UNAVAILABLE"));
        meanings.put(500, List.of("UNKNOWN", "FAILED"));
        meanings.put(302, List.of("UNKNOWN", "FAILED"));

        meanings.forEach((code, names) -> {
            server.expect(insertRequest(), Answers.status(code)).expect(readRequest(), Answers.status(code));
            assertOutcomes(db, names.get(0), names.get(1));
        });
        assertThat(server.seen()).allSatisfy(seen -> assertThat(seen.headers()).containsEntry("x-store", "yes"));
    }

    @Test
    void aSuccessMayMeanThatThereWasNoRow() throws DBException {
        RestBinding db = opened();
        String request = "PATCH /db/usertable/a%2Fb%20c {\"field1\":\"z\"}";
        server.expect(request, Answers.json(200, "{\"changed\":0}"))
                .expect(request, Answers.status(204))
                .expect("DELETE /db/usertable/k", Answers.status(204));

        assertThat(db.update("usertable", "a/b c", values("field1", "z"))).isSameAs(Status.NOT_FOUND);
        assertThat(db.update("usertable", "a/b c", values("field1", "z"))).isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.OK);
    }

    @Test
    void aSuccessThatTheFileCallsUnknownForAllOperationsIsNotOk() throws DBException {
        RestBinding db = opened();
        server.expect(insertRequest(), Answers.status(202))
                .expect(insertRequest(), Answers.status(201))
                .expect("DELETE /db/usertable/k", Answers.status(202));

        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Statuses.UNKNOWN);
        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Statuses.UNKNOWN);
    }

    @Test
    void aRowIsReadFromItsPlaceAndAReplyWithoutThePlaceIsNeverOk() throws DBException {
        RestBinding db = opened();
        server.expect("GET /db/usertable/k?f=field1", Answers.json(200, row()))
                .expect(readRequest(), Answers.json(200, "{\"data\":{\"item\":null}}"))
                .expect(readRequest(), Answers.json(200, "{\"data\":{}}"))
                .expect(readRequest(), Answers.json(200, "{\"data\":[1,2]}"))
                .expect(readRequest(), Answers.json(200, "{\"data\":{\"item\":{\"field0\":"));
        Map<String, ByteIterator> result = new HashMap<>();

        assertThat(db.read("usertable", "k", Set.of("field1"), result)).isSameAs(Status.OK);
        assertThat(texts(result)).isEqualTo(Map.of("field1", "b"));
        assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Status.NOT_FOUND);
        for (int i = 0; i < 3; i++) {
            assertThat(db.read("usertable", "k", null, new HashMap<>())).isSameAs(Statuses.FAILED);
        }
    }

    @Test
    void aScanAsksForItsStartAndItsLimitAndTakesNoMore() throws DBException {
        RestBinding db = opened();
        String rows = "{\"id\":\"k\",\"field0\":\"a\"},{\"id\":\"l\",\"field0\":\"b\"},{\"id\":\"m\",\"field0\":\"c\"}";
        server.expect(
                "POST /db/usertable/_list {\"from\": \"k \\\"1\\\"\", \"most\": 2}",
                Answers.chunked(200, "{\"data\":{\"items\":[" + rows + "]}}"));

        assertThat(scanned(db, "k \"1\"", 2, null)).containsExactly(Map.of("field0", "a"), Map.of("field0", "b"));
    }

    @Test
    void headersOfTheFileReplaceThoseOfTheClient() throws IOException, DBException {
        Path file = Files.writeString(directory.resolve("typed.txt"), """
                probe = GET /health
                header.content-type = application/vnd.store+json
                header.accept = application/vnd.store+json
                header.host = store.example.org
                insert.request = POST /db/{table}
                insert.body = {"id": {key}, "doc": {values}}
                delete.request = DELETE /db/{table}/{key}
                """);
        RestBinding db = opened("rest.generic.file", file.toString());
        server.expect(insertRequest(), Answers.status(201)).expect("DELETE /db/usertable/k", Answers.status(204));

        assertThat(db.insert("usertable", "k", values("field0", "a", "field1", "b")))
                .isSameAs(Status.OK);
        assertThat(db.delete("usertable", "k")).isSameAs(Status.OK);

        assertThat(server.seen().get(0).lines())
                .containsOnlyOnce(
                        "Host: store.example.org",
                        "Accept: application/vnd.store+json",
                        "Content-Type: application/vnd.store+json")
                .doesNotHaveDuplicates()
                .noneMatch(line -> line.contains("127.0.0.1") || line.endsWith("application/json"));
        assertThat(server.seen().get(1).headers()).doesNotContainKey("content-type");
    }

    @Test
    void manyRowsGoOneByOne() throws DBException {
        RestBinding db = opened();
        server.expect("POST /db/usertable {\"id\": \"k1\", \"doc\": {\"field0\":\"a\"}}", Answers.status(201))
                .expect("POST /db/usertable {\"id\": \"k2\", \"doc\": {\"field0\":\"b\"}}", Answers.status(409));

        assertThat(db.insertAll("usertable", List.of(row("k1", "field0", "a"), row("k2", "field0", "b"))))
                .containsExactly(Status.OK, Statuses.DUPLICATE_KEY);
    }
}
