package io.ycsbdrill.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.live.LiveFeed.Position;
import io.ycsbdrill.report.live.LiveFeed.Update;
import io.ycsbdrill.report.page.ChartData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A finished run that is written anew, piece by piece, as if it went on. */
class LiveFeedTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> GROWING = List.of("windows.csv", "slices.csv", "markers.jsonl");

    @TempDir
    private Path root;

    private Path finished;
    private Path live;
    private final LiveFeed feed = new LiveFeed();

    @BeforeEach
    void run() throws IOException {
        finished = SampleRun.nodeRestart().writeTo(root.resolve("finished"));
        live = Files.createDirectories(root.resolve("live"));
        ObjectNode json =
                (ObjectNode) JSON.readTree(finished.resolve("run.json").toFile());
        json.put("state", "incomplete").putNull("endedAt").put("durationNanos", 0);
        Files.writeString(live.resolve("run.json"), json.toString());
        feed.follow(live);
    }

    /** Lets each file grow by a part of what is left of it, cut anywhere. */
    private void grow(double part, Random random) throws IOException {
        for (String name : GROWING) {
            byte[] whole = Files.readAllBytes(finished.resolve(name));
            int from = Files.exists(live.resolve(name)) ? (int) Files.size(live.resolve(name)) : 0;
            int to = part >= 1 ? whole.length : from + (int) ((whole.length - from) * part * random.nextDouble());
            Files.write(
                    live.resolve(name),
                    Arrays.copyOfRange(whole, from, to),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private static void append(ObjectNode all, JsonNode more) {
        for (Map.Entry<String, JsonNode> operation : more.properties()) {
            ObjectNode known = all.withObject("/" + operation.getKey());
            for (Map.Entry<String, JsonNode> column : operation.getValue().properties()) {
                ArrayNode values = known.withArray("/" + column.getKey());
                column.getValue().forEach(values::add);
            }
        }
    }

    @Test
    void whatIsSentPieceByPieceIsWhatTheReportShows() throws IOException {
        Random random = new Random(7);
        ObjectNode windows = JSON.createObjectNode();
        ObjectNode slices = JSON.createObjectNode();
        Position position = Position.NONE;
        JsonNode last = null;
        for (int step = 0; step <= 40; step++) {
            grow(step == 40 ? 1 : 0.2, random);
            Update update = feed.since(position);
            position = update.upTo();
            last = JSON.readTree(update.json());
            assertThat(last.path("anew").asBoolean()).isEqualTo(step == 0);
            last.path("phases").forEach(phase -> assertThat(phase.path("to").asDouble())
                    .isGreaterThanOrEqualTo(phase.path("from").asDouble()));
            append(windows, last.path("windows"));
            ((ObjectNode) last.path("slices")).remove("group");
            append(slices, last.path("slices"));
        }

        ObjectNode whole = ChartData.of(RunData.read(finished));
        ((ObjectNode) whole.path("slices")).remove("group");
        assertThat(windows).hasToString(whole.path("windows").toString());
        assertThat(slices).hasToString(whole.path("slices").toString());
        assertThat(last.path("lines")).hasToString(whole.path("lines").toString());
        assertThat(last.path("phases").size()).isEqualTo(whole.path("phases").size());
        assertThat(last.path("duration").asDouble()).isEqualTo(150);
        assertThat(last.path("nodes")).hasToString("{\"node2\":\"recovered\"}");
        assertThat(feed.faults()).containsEntry(new LiveFeed.FaultOf("restart", "node2"), new LiveFeed.Faults(1, 0, 0));
    }

    @Test
    void aPageThatIsOpenedLaterGetsEverythingSoFar() throws IOException {
        grow(1, new Random(1));
        Update first = feed.since(Position.NONE);

        assertThat(feed.since(Position.NONE).json()).isEqualTo(first.json());
        JsonNode nothingNew = JSON.readTree(feed.since(first.upTo()).json());
        assertThat(nothingNew.path("windows").path("TOTAL").path("at")).isEmpty();
        assertThat(nothingNew.path("events")).isEmpty();
        assertThat(JSON.readTree(first.json()).path("events").toString())
                .contains("fault restart of node2 begins", "node2 synchronise (SS)");
    }

    @Test
    void theClosedRunIsSentAnewAsTheReportShowsIt() throws IOException {
        grow(0.5, new Random(3));
        Position position = feed.since(Position.NONE).upTo();
        for (String name :
                List.of("windows.csv", "slices.csv", "markers.jsonl", "phases.csv", "summary.json", "run.json")) {
            Path replacement = Files.copy(finished.resolve(name), root.resolve(name));
            Files.deleteIfExists(live.resolve(name));
            Files.move(replacement, live.resolve(name));
        }

        Update end = feed.since(position);
        JsonNode json = JSON.readTree(end.json());

        assertThat(json.path("anew").asBoolean()).isTrue();
        assertThat(json.path("windows"))
                .hasToString(
                        ChartData.of(RunData.read(finished)).path("windows").toString());
        assertThat(json.path("subtitle").asText()).contains("150 s");
        assertThat(feed.since(end.upTo()).json()).isEqualTo("{}");
    }

    @Test
    void aFileThatWasReplacedBeforeTheRunIsClosedIsNotReadOn() throws IOException {
        grow(0.5, new Random(5));
        Position position = feed.since(Position.NONE).upTo();
        Path other = root.resolve("other");
        Files.writeString(other, "x".repeat(200_000) + "\n1,2,3\n");
        Files.move(other, live.resolve("windows.csv"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);

        assertThat(feed.since(position).upTo().windows()).isEqualTo(position.windows());
    }

    @Test
    void damagedLinesAreLeftOut() throws IOException {
        grow(1, new Random(1));
        Files.writeString(live.resolve("slices.csv"), "no,slice\n", StandardOpenOption.APPEND);
        Files.writeString(live.resolve("markers.jsonl"), "{\"at_ns\":\n", StandardOpenOption.APPEND);

        assertThat(feed.since(Position.NONE).upTo().slices()).isEqualTo(1500);
    }

    /** Of the first one only settings and markers count, and its end is not that of the run. */
    @Test
    void aRunOfSeveralClientsIsSettingsOfTheFirstAndFiguresOfAll() throws IOException {
        Path first = Files.createDirectories(root.resolve("client-1"));
        ObjectNode json =
                (ObjectNode) JSON.readTree(finished.resolve("run.json").toFile());
        json.putObject("part").put("number", 1).put("of", 7);
        Files.writeString(first.resolve("run.json"), json.toString());
        Files.copy(finished.resolve("markers.jsonl"), first.resolve("markers.jsonl"));
        Files.writeString(first.resolve("slices.csv"), "slice,start_s,operation,ok,failed,unknown,max_service_us\n");
        for (String name : List.of("windows.csv", "slices.csv")) {
            Files.copy(finished.resolve(name), live.resolve(name));
        }

        feed.follow(first, live);
        Update update = feed.since(Position.NONE);

        assertThat(update.upTo().slices()).isEqualTo(1500);
        assertThat(JSON.readTree(update.json()).path("subtitle").asText()).endsWith("on each of 7 clients");
        assertThat(JSON.readTree(update.json()).path("events").toString()).contains("fault restart of node2 begins");
        assertThat(JSON.readTree(feed.since(update.upTo()).json()).path("anew").asBoolean())
                .isFalse();
    }

    @Test
    void beforeARunBeginsThereIsNothing() throws IOException {
        assertThat(new LiveFeed().since(Position.NONE).json()).isEqualTo("{}");
        feed.follow(root.resolve("to-be"));

        assertThat(feed.since(Position.NONE)).isEqualTo(new Update(Position.NONE, "{}"));
        assertThat(feed.phases()).isEmpty();
    }

    @Test
    void thePageAsksOnlyItsOwnServer() {
        String page = LiveFeed.page();

        assertThat(page)
                .contains("connect-src 'self'", "new EventSource('events')")
                .doesNotContain("${");
        assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(2_000_000);
    }
}
