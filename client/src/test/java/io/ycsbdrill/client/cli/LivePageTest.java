package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --live} serves during a drill on a table in memory and nodes in memory. */
@Timeout(120)
class LivePageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path root;

    private World world;
    private ScriptedEngine engine;
    private LiveDrill live;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void world() {
        engine = new ScriptedEngine(root.toString());
        world = new World(root).with(engine);
        live = new LiveDrill(world);
    }

    private HttpResponse<String> get(URI address) throws Exception {
        return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    private Iterator<JsonNode> events(URI address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("events")).build();
        return http.send(request, BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith("data: "))
                .map(line -> json(line.substring(6)))
                .iterator();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(text, e);
        }
    }

    @Test
    void aPageSeesTheWholeDrillAndItsEnd() throws Exception {
        CompletableFuture<Integer> running = live.start();
        URI address = live.address();
        assertThat(get(address).body()).contains("new EventSource('events')").doesNotContain("hush");

        List<JsonNode> messages = new ArrayList<>();
        String metrics = "";
        JsonNode reloaded = null;
        for (Iterator<JsonNode> events = events(address); events.hasNext(); ) {
            JsonNode message = events.next();
            messages.add(message);
            if (message.path("feed").path("nodes").has("node2") && reloaded == null) {
                metrics = get(address.resolve("metrics")).body();
                reloaded = events(address).next().path("feed");
            }
        }
        assertThat(running.get(60, TimeUnit.SECONDS)).as(world.err()).isZero();

        assertThat(messages).extracting(m -> m.path("state").asText()).contains("running", "ended");
        JsonNode end = messages.get(messages.size() - 1);
        assertThat(end.path("last").asBoolean()).isTrue();
        assertThat(end.path("kind").asText()).isEqualTo("pass");
        assertThat(end.path("text").asText()).contains("report.html");
        assertThat(messages).extracting(JsonNode::toString).noneMatch(text -> text.contains("hush"));
        JsonNode closed = messages.stream()
                .map(m -> m.path("feed"))
                .filter(feed -> feed.path("anew").asBoolean())
                .reduce((a, b) -> b)
                .orElseThrow();
        JsonNode summary =
                JSON.readTree(world.directory().resolve("r/summary.json").toFile());
        assertThat(closed.path("totals").path("ok").asLong())
                .isEqualTo(summary.path("operations").path("READ").path("ok").asLong()
                        + summary.path("operations").path("UPDATE").path("ok").asLong());
        assertThat(closed.path("events").toString()).contains("fault restart of node2 begins", "node2 recovered");
        assertThat(closed.path("phases").size()).isEqualTo(6);
        assertThat(reloaded.path("anew").asBoolean()).isTrue();
        assertThat(reloaded.path("windows").path("TOTAL").path("at").get(0).asDouble())
                .isEqualTo(0.25);
        PrometheusText text = PrometheusText.parse(metrics);
        assertThat(text.value("ycsb_drill_state", Map.of("ycsb_drill_state", "running")))
                .isEqualTo(1);
        assertThat(text.value("ycsb_drill_faults_started_total", Map.of("fault", "restart", "node", "node2")))
                .isEqualTo(1);
        assertThat(text.sum("ycsb_drill_node_phase", Map.of("node", "node2"))).isEqualTo(1);
        Map<String, String> reads = Map.of("operation", "READ", "outcome", "ok");
        assertThat(text.value("ycsb_drill_operations_total", reads))
                .isPositive()
                .isEqualTo(text.value("ycsb_drill_service_time_seconds_count", reads))
                .isEqualTo(text.value("ycsb_drill_response_time_seconds_count", reads));
        assertThat(text.value(
                        "ycsb_drill_run_info",
                        Map.of("binding", "native", "workload", "w", "mode", "run", "threads", "1")))
                .isEqualTo(1);
        assertThat(text.value("ycsb_drill_run_start_time_seconds", Map.of())).isGreaterThan(1.7e9);
        assertThat(metricsOfTheDashboard()).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(text.names())
                .contains(name));
    }

    /** What the panels, annotations and variables of the dashboard for Grafana ask for. */
    private static Set<String> metricsOfTheDashboard() throws IOException {
        JsonNode dashboard =
                JSON.readTree(Path.of("../deploy/grafana/ycsb-drill.json").toFile());
        List<String> queries = new ArrayList<>(dashboard.findValuesAsText("expr"));
        queries.addAll(dashboard.findValuesAsText("definition"));
        return queries.stream()
                .flatMap(query -> Pattern.compile("ycsb_drill_[a-z_]+(?=[{,])")
                        .matcher(query)
                        .results())
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    @Test
    void othersAreKeptOut() throws Exception {
        CompletableFuture<Integer> running = live.start();
        URI address = live.address();

        assertThat(raw(address, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(raw(address, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(get(address.resolve("run.json")).statusCode()).isEqualTo(404);
        assertThat(get(address.resolve("metricsx")).statusCode()).isEqualTo(404);
        HttpResponse<String> page = get(address);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(running.get(60, TimeUnit.SECONDS)).as(world.err()).isZero();
    }

    private static String raw(URI address, String request) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    @Test
    void aPortInUseIsAnErrorBeforeAnythingStarts() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int exitCode = world.execute(
                    "drill",
                    "native",
                    "-P",
                    "w.properties",
                    "-D",
                    "d.yaml",
                    "--out",
                    "r",
                    "--live",
                    Integer.toString(taken.getLocalPort()));

            assertThat(exitCode).isEqualTo(2);
            assertThat(world.err()).contains("error: --live 127.0.0.1:" + taken.getLocalPort() + ": cannot listen");
        }
        assertThat(engine.nodes.calls()).isEmpty();
        assertThat(Files.exists(world.directory().resolve("r"))).isFalse();
    }

    @Test
    void anImpossiblePortIsAUsageError() {
        assertThat(world.execute("run", "native", "-P", "w.properties", "--live", "70000"))
                .isEqualTo(2);
        assertThat(world.err()).contains("--live 70000", "0 (any free one) to 65535");
    }

    @Test
    void aCommandThatFailsBeforeItsRunTellsItsPage() throws Exception {
        world.file("d.yaml", "steps: [{fault: kill, node: node7, at: 1s}]");
        int exitCode = live.start().get(60, TimeUnit.SECONDS);

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err()).contains("live: http", "no node node7");
    }
}
