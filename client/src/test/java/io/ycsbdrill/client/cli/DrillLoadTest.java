package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which load a drill or run has: that of the command line, else that of the drill file. */
@Timeout(120)
class DrillLoadTest {
    private static final String WORKLOAD = """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=50
            readproportion=0.5
            updateproportion=0.5
            requestdistribution=uniform
            store.pause_us=500
            """;
    private static final String DRILL = """
            name: quick
            load: LOAD
            steady: off
            cooldown: 500ms
            steps:
              - {step: restart, fault: restart, node: node2, mode: kill, down: 200ms, at: 500ms}
            """;

    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with(new ScriptedEngine(root.toString())).file("w.properties", WORKLOAD);
    }

    private int drill(String load, String... more) {
        world.file("d.yaml", DRILL.replace("LOAD", load));
        List<String> arguments = new ArrayList<>(
                List.of("drill", "native", "-P", "w.properties", "-D", "d.yaml", "--out", "r", "--window", "1s"));
        arguments.addAll(List.of(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    private JsonNode load() throws IOException {
        return run().path("load");
    }

    private JsonNode run() throws IOException {
        return new ObjectMapper()
                .readTree(world.directory().resolve("r/run.json").toFile());
    }

    @Test
    void shareOfTheMaximumIsMeasuredFirstAndTheFaultsCountFromThen() throws IOException {
        assertThat(drill("{share: 50%, calibration: 4s}", "-p", "store.pause_us=5000"))
                .as(world.err())
                .isZero();

        assertThat(load().path("kind").asText()).isEqualTo("share");
        assertThat(load().path("rate").asDouble())
                .isEqualTo(load().path("measuredMaximum").asDouble() / 2)
                .isPositive();
        assertThat(run().path("rate").isNull()).isTrue();
        assertThat(world.err())
                .contains("run begins with a calibration: a closed loop for 4 s measures the maximum")
                .contains("load: 50% of the maximum = ", "\u00b1")
                .doesNotContain("that of the drill file");
        assertThat(world.out()).contains("With load 50 % of the maximum of ");
        JsonNode fault = Files.readString(world.directory().resolve("r/markers.jsonl"))
                .lines()
                .filter(line -> line.contains("\"fault-started\""))
                .map(DrillLoadTest::json)
                .findFirst()
                .orElseThrow();
        long since = (long) (1e9 * load().path("sinceSeconds").asDouble());
        assertThat(since).isGreaterThanOrEqualTo(4_000_000_000L);
        assertThat(fault.path("at_ns").asLong()).isBetween(since + 400_000_000L, since + 2_000_000_000L);
        assertThat(Files.readString(world.directory().resolve("r/report.html")))
                .contains("load 50 % of the maximum of ");
    }

    private static JsonNode json(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60%    | --rate 300   | rate  | 300 | load: --rate 300; that of the drill file, 60%, is not used",
                "500/s  | -target 250  | rate  | 250 | load: the target 250; that of the drill file, 500/s, is not used",
                "60%    | -p target=80 | rate  | 80  | load: the target 80; that of the drill file, 60%, is not used",
                "60%    | --rate max   | max   | 0   | load: --rate max; that of the drill file, 60%, is not used",
                "60%    | -target 0    | max   | 0   | load: the target 0; that of the drill file, 60%, is not used",
            })
    void commandLineWinsAndItIsSaid(String file, String option, String kind, double rate, String said)
            throws IOException {
        assertThat(drill(file, option.split(" "))).as(world.err()).isZero();

        assertThat(load().path("kind").asText()).isEqualTo(kind);
        assertThat(load().path("rate").asDouble()).isEqualTo(rate);
        assertThat(world.err()).contains(said);
    }

    @ParameterizedTest
    @CsvSource({"max, max", "400/s, rate"})
    void drillFileSaysWhenTheCommandLineDoesNot(String file, String kind) throws IOException {
        assertThat(drill(file)).as(world.err()).isZero();

        assertThat(load().path("kind").asText()).isEqualTo(kind);
        assertThat(world.err()).doesNotContain("that of the drill file");
    }

    @Test
    void runTakesAShareToo() throws IOException {
        assertThat(world.execute(
                        "run",
                        "native",
                        "-P",
                        "w.properties",
                        "--out",
                        "r",
                        "--rate",
                        "25%",
                        "--duration",
                        "14s",
                        "-p",
                        "load.calibration=4s",
                        "-p",
                        "store.pause_us=5000",
                        "--after-stall",
                        "cap"))
                .as(world.err())
                .isZero();

        assertThat(load().path("share").asDouble()).isEqualTo(0.25);
        assertThat(load().path("calibrationSeconds").asInt()).isEqualTo(4);
        assertThat(load().path("afterStall").asText()).isEqualTo("cap");
        assertThat(load().path("sinceSeconds").asDouble()).isBetween(4.0, 14.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --rate 60 % --duration 9s                  | --rate: \"60 %\"",
                "run --rate 0%   --duration 9s                  | --rate: a share of 0% is not from 1% to 100%",
                "run --rate 60%  --duration 9s -p load.calibration=1s | load.calibration: ",
                "run --rate 60%  --duration 9s                  | the duration, 9s, is over before the calibration, which takes 25s of it",
                "load --rate 60%                                | calibration: a load of records has none",
                "drill -D d.yaml --duration 20s                 | the duration, 20s, is over before the calibration",
            })
    void shareThatCannotBeIsRefused(String command, String problem) {
        List<String> arguments =
                new ArrayList<>(List.of(command.replace("60 %", "60_%").split(" +")));
        arguments.replaceAll(word -> word.replace('_', ' '));
        arguments.addAll(1, List.of("native", "-P", "w.properties", "--out", "r"));
        world.file("d.yaml", DRILL.replace("LOAD", "60%"));

        assertThat(world.execute(arguments.toArray(String[]::new))).isEqualTo(2);

        assertThat(world.err()).contains(problem);
        assertThat(world.directory().resolve("r")).doesNotExist();
        assertThat(world.directory().resolve("r.load")).doesNotExist();
        assertThat(StoreDb.store(root.toString())).isEmpty();
    }
}
