package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerTimeTest {
    @TempDir
    private Path directory;

    private AnswerTime of(SampleRun run) {
        return AnswerTime.of(RunData.read(run.writeTo(directory)), 9, 2, 151, 3);
    }

    @Test
    void eachSecondOfADrillIsForSomething() {
        AnswerTime time = of(SampleRun.nodeRestart());

        assertThat(time.seconds().keySet())
                .containsExactly("start", "load", "steady", "fault", "recovery", "cool-down", "end", "report");
        assertThat(time.seconds().get("start")).isEqualTo(7);
        assertThat(time.seconds().get("steady")).isEqualTo(40);
        assertThat(time.seconds().get("fault")).isCloseTo(0.21, within(1e-9));
        assertThat(time.seconds().get("recovery")).isCloseTo(118.27 - 40.21, within(1e-9));
        assertThat(time.seconds().get("cool-down")).isCloseTo(150 - 118.27, within(1e-9));
        assertThat(time.seconds().get("end")).isEqualTo(1);
        assertThat(time.seconds().values().stream().mapToDouble(part -> part).sum())
                .isCloseTo(9 + 151 + 3, within(1e-9));
    }

    @Test
    void whatIsHealedAfterTheLoadIsNoPartOfTheFault() {
        AnswerTime time = of(SampleRun.nodeRestart().stopped(100));

        assertThat(time.seconds().get("cool-down")).isCloseTo(100 - 40.21, within(1e-9));
        assertThat(time.seconds()).doesNotContainKey("recovery");
        assertThat(time.seconds().get("end")).isEqualTo(51);
    }

    @Test
    void aRunWithoutADrillIsOnePart() {
        assertThat(of(SampleRun.lasting(60).operation("READ", t -> 100, t -> 300))
                        .seconds())
                .contains(entry("run", 60.0), entry("report", 3.0))
                .doesNotContainKeys("steady", "cool-down");
    }

    @Test
    void itIsKeptInTheSummary() throws IOException {
        AnswerTime time = of(SampleRun.nodeRestart());

        time.write(directory);

        JsonNode written = Json.read(directory.resolve("summary.json")).path("time");
        assertThat(written.path("seconds").asDouble()).isEqualTo(163);
        assertThat(written.at("/parts/cool-down").asDouble()).isEqualTo(31.7);
        assertThat(time.text()).startsWith("163.0 s: start 7.0, load 2.0, steady 40.0, fault 0.2, ");
    }
}
