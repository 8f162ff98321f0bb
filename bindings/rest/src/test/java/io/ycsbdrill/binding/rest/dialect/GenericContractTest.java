package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.rest.RestBinding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;

/** The contract by templates, on a small server that keeps its rows in memory and has its own ideas of paths and bodies. */
class GenericContractTest extends BindingContract {
    private static final JsonFactory JSON = new JsonFactory();
    private static final TreeMap<String, Map<String, String>> ROWS = new TreeMap<>();

    @TempDir
    static Path directory;

    private static HttpServer server;
    private static ExecutorService threads;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(directory.resolve("store.txt"), """
                # What the server below understands.
                charset = latin-1
                key = _id
                header.X-Store = yes
                probe = GET /store

                read.request = GET /store/{table}/{key}
                read.row = found.0
                scan.request = POST /store/{table}
                scan.body = {"from": {key}, "most": {count}}
                scan.rows = found
                insert.request = POST /store/{table}/{key}
                insert.body = {"id": {key}, "row": {values}}
                update.request = PATCH /store/{table}/{key}
                update.body = {"id": {key}, "row": {values}}
                delete.request = DELETE /store/{table}/{key}
                status.404 = not-found
                status.410 = failed
                insert.status.409 = duplicate-key
                """);
        // Otherwise each of its answers waits for the acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/store", GenericContractTest::serve);
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Override
    protected DB newDb() {
        return new RestBinding();
    }

    @Override
    protected Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("rest.dialect", "generic");
        properties.setProperty(
                "rest.generic.file", directory.resolve("store.txt").toString());
        properties.setProperty(
                "rest.endpoints", "http://127.0.0.1:" + server.getAddress().getPort());
        return properties;
    }

    @Override
    protected Set<Feature> missingFeatures() {
        return Set.of(Feature.FIELD_CHECK);
    }

    private static void serve(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String[] path = exchange.getRequestURI().getRawPath().split("/");
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        int status;
        synchronized (ROWS) {
            status = exchange.getRequestHeaders().containsKey("X-Store")
                    ? served(exchange.getRequestMethod(), path, body, answer)
                    : 403;
        }
        exchange.sendResponseHeaders(status, answer.size() == 0 ? -1 : answer.size());
        exchange.getResponseBody().write(answer.toByteArray());
        exchange.close();
    }

    private static int served(String method, String[] path, byte[] body, ByteArrayOutputStream answer)
            throws IOException {
        if (path.length < 3) {
            return 204;
        }
        if (!path[2].equals("usertable")) {
            return 410;
        }
        if (path.length == 3) {
            Map<String, String> asked = strings(body);
            write(ROWS.tailMap(asked.get("from")), Integer.parseInt(asked.get("most")), answer);
            return 200;
        }
        String key = URLDecoder.decode(path[3], StandardCharsets.UTF_8);
        Map<String, String> row = ROWS.get(key);
        if (method.equals("POST")) {
            return ROWS.putIfAbsent(key, strings(body)) == null ? 201 : 409;
        }
        if (row == null) {
            return 404;
        }
        switch (method) {
            case "GET" -> write(Map.of(key, row), 1, answer);
            case "PATCH" -> row.putAll(strings(body));
            default -> ROWS.remove(key);
        }
        return 200;
    }

    private static void write(Map<String, Map<String, String>> rows, int most, ByteArrayOutputStream answer)
            throws IOException {
        try (JsonGenerator out = JSON.createGenerator(answer)) {
            out.writeStartObject();
            out.writeObjectFieldStart("besides");
            out.writeEndObject();
            out.writeArrayFieldStart("found");
            for (Map.Entry<String, Map<String, String>> row :
                    rows.entrySet().stream().limit(most).toList()) {
                out.writeStartObject();
                out.writeStringField("_id", row.getKey());
                for (Map.Entry<String, String> field : row.getValue().entrySet()) {
                    out.writeStringField(field.getKey(), field.getValue());
                }
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
    }

    /** The members that are texts or numbers, of all objects, but for the one called id. */
    private static Map<String, String> strings(byte[] body) throws IOException {
        Map<String, String> strings = new LinkedHashMap<>();
        try (JsonParser in = JSON.createParser(body)) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (token.isScalarValue() && !List.of("id").contains(in.currentName())) {
                    strings.put(in.currentName(), in.getText());
                }
            }
        }
        return strings;
    }
}
