package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a run of several clients ends when something happens to one of their processes. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ClientsIT {
    private static final String PASSWORD = "not-for-the-list-of-processes";

    @TempDir
    private Path directory;

    private Child run(String... more) throws IOException {
        Files.writeString(
                directory.resolve("w"),
                "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=1000\noperationcount=1000000\ndb.passwd="
                        + PASSWORD + "\n");
        return new Child(
                directory,
                Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()),
                Child.ycsb(Stream.concat(
                                Stream.of(
                                        "run",
                                        SlowDb.class.getName(),
                                        "-P",
                                        "w",
                                        "--window",
                                        "200ms",
                                        "--clients",
                                        "2",
                                        "--out",
                                        "run"),
                                Stream.of(more))
                        .toArray(String[]::new)));
    }

    @Test
    void clientsCalibrateAtTheSameTimeAndTheirRatesAddUp() throws Exception {
        try (Child child = run("--rate", "50%", "-p", "load.calibration=4s", "--duration", "8s")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.err()).contains("load: 50% of the maximum = ");
        }

        JsonNode one = json("client-1/run.json").path("load");
        JsonNode two = json("client-2/run.json").path("load");
        JsonNode both = json("run.json").path("load");
        assertThat(one.path("rate").asDouble())
                .isEqualTo(one.path("measuredMaximum").asDouble() / 2)
                .isPositive();
        assertThat(both.path("rate").asDouble())
                .isEqualTo(one.path("rate").asDouble() + two.path("rate").asDouble());
        assertThat(both.path("measuredMaximum").asDouble())
                .isEqualTo(2 * both.path("rate").asDouble());
        assertThat(both.path("unsent").asLong())
                .isEqualTo(one.path("unsent").asLong() + two.path("unsent").asLong());
        assertThat(both.has("scatter")).isFalse();
        assertThat(one.path("sinceSeconds").asDouble())
                .isGreaterThanOrEqualTo(4.0)
                .isCloseTo(two.path("sinceSeconds").asDouble(), within(2.0));
    }

    @Test
    void statusLinesPageAndMetricsAreOfAllClients() throws Exception {
        Pattern address = Pattern.compile("live: (http://127\\.0\\.0\\.1:\\d+/) ");
        List<JsonNode> messages = new ArrayList<>();
        String metrics = "";
        try (Child child = run("--rate", "100", "--duration", "8s", "--live")) {
            child.await(() -> address.matcher(child.err()).find());
            Matcher said = address.matcher(child.err());
            assertThat(said.find()).isTrue();
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest events =
                    HttpRequest.newBuilder(URI.create(said.group(1) + "events")).build();
            for (Iterator<String> lines =
                            http.send(events, BodyHandlers.ofLines()).body().iterator();
                    lines.hasNext(); ) {
                String line = lines.next();
                if (line.startsWith("data: ")) {
                    JsonNode message = new ObjectMapper().readTree(line.substring(6));
                    messages.add(message);
                    if (metrics.isEmpty() && ok(message) >= 300) {
                        HttpRequest request = HttpRequest.newBuilder(URI.create(said.group(1) + "metrics"))
                                .build();
                        metrics = http.send(request, BodyHandlers.ofString()).body();
                    }
                }
            }
            assertThat(child.exitCode()).as(child.err()).isZero();

            Matcher status =
                    Pattern.compile("\\nrun 5\\.0 s: (\\d+) operations").matcher(child.err());
            assertThat(status.find()).as(child.err()).isTrue();
            assertThat(Long.parseLong(status.group(1)))
                    .isEqualTo(operations("client-1", 50) + operations("client-2", 50))
                    .isBetween(1L, 501L);
            assertThat(child.err()).doesNotContain("(client 1/2)");
        }

        assertThat(PrometheusText.parse(metrics).sum("ycsb_drill_operations_total", Map.of()))
                .isGreaterThanOrEqualTo(300);
        JsonNode running = messages.stream()
                .filter(message -> message.path("state").asText().equals("running"))
                .filter(message -> ok(message) > 0)
                .reduce((a, b) -> b)
                .orElseThrow();
        assertThat(ok(running)).isBetween(500L, 801L);
        assertThat(messages.stream()
                        .map(message -> message.path("feed").path("subtitle").asText()))
                .anyMatch(subtitle -> subtitle.endsWith("1 client thread · on each of 2 clients"));
        JsonNode merged = json("summary.json").path("operations");
        JsonNode last = messages.stream()
                .filter(message -> message.path("feed").path("anew").asBoolean())
                .reduce((a, b) -> b)
                .orElseThrow();
        assertThat(ok(last))
                .isEqualTo(
                        merged.at("/READ/ok").asLong() + merged.at("/UPDATE/ok").asLong())
                .isGreaterThan(700);
        assertThat(last.path("feed").path("subtitle").asText()).contains("2 client threads");
    }

    /** Of a client, in its first slices. */
    private long operations(String client, int slices) throws IOException {
        try (Stream<String> lines =
                Files.lines(directory.resolve("run").resolve(client).resolve("slices.csv"))) {
            return lines.map(line -> line.split(","))
                    .filter(row -> row[2].equals("TOTAL") && Integer.parseInt(row[0]) < slices)
                    .mapToLong(row -> Long.parseLong(row[3]) + Long.parseLong(row[4]) + Long.parseLong(row[5]))
                    .sum();
        }
    }

    private static long ok(JsonNode message) {
        return message.at("/feed/totals/ok").asLong();
    }

    private boolean bothHaveWrittenWindows() {
        return Stream.of("client-1", "client-2").allMatch(client -> {
            Path windows = directory.resolve("run").resolve(client).resolve("windows.csv");
            try (var lines = Files.exists(windows) ? Files.lines(windows) : Stream.<String>empty()) {
                return lines.count() > 5;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("run").resolve(file).toFile());
    }

    /** Of both clients, whatever ended them. */
    private void isMergedAndIncomplete() throws IOException {
        assertThat(json("run.json").path("state").asText()).isEqualTo("incomplete");
        assertThat(json("run.json").path("clients")).hasSize(2);
        assertThat(json("summary.json").at("/operations/READ/ok").asLong())
                .isGreaterThan(
                        json("client-1/summary.json").at("/operations/READ/ok").asLong());
    }

    @Test
    void aClientThatIsKilledEndsTheRunWhichIsMergedAsFarAsItWent() throws Exception {
        try (Child child = run()) {
            child.await(this::bothHaveWrittenWindows);
            ProcessHandle second = child.children().get(0);
            String listed = Files.readString(
                    Path.of("/proc", Long.toString(second.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
            String environment = Files.readString(
                    Path.of("/proc", Long.toString(second.pid()), "environ"), StandardCharsets.ISO_8859_1);

            child.signalChildren("KILL");

            assertThat(child.exitCode()).as(child.err()).isEqualTo(1);
            assertThat(listed).contains(ClientCommand.NAME, "2/2").doesNotContain(PASSWORD);
            assertThat(environment).doesNotContain(PASSWORD);
            assertThat(child.err()).contains("client 2 of 2 ended before it was done (killed by signal 9)");
            assertThat(child.out()).contains("[READ], Return=OK, ");
        }
        isMergedAndIncomplete();
    }

    /** A terminal sends it to all processes of the command. */
    @Test
    void ctrlCEndsAllClientsInOrder() throws Exception {
        try (Child child = run()) {
            child.await(this::bothHaveWrittenWindows);

            child.signalChildren("INT");
            child.signal("INT");

            assertThat(child.exitCode()).as(child.err()).isEqualTo(130);
            assertThat(child.err())
                    .contains("client 1: the process was interrupted", "client 2: the process was interrupted");
            assertThat(child.out()).contains("[READ], Return=OK, ");
        }
        isMergedAndIncomplete();
        assertThat(json("client-2/summary.json").at("/operations/READ/ok").asLong())
                .isPositive();
    }

    @Test
    void clientsEndInOrderWhenTheCommandThatStartedThemIsKilled() throws Exception {
        try (Child child = run()) {
            child.await(this::bothHaveWrittenWindows);
            ProcessHandle second = child.children().get(0);

            child.signal("KILL");
            child.exitCode();

            second.onExit().get(120, TimeUnit.SECONDS);
        }
        assertThat(json("client-2/run.json").path("reasons").toString())
                .contains("the command that started this client has ended");
        assertThat(json("client-2/summary.json").at("/operations/READ/ok").asLong())
                .isPositive();
    }
}
