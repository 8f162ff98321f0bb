package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSpecTextTest {

    @Test
    void everythingComesThrough() {
        Properties properties = new Properties();
        properties.setProperty("db.passwd", "a \"secret\"\n\u00e9");
        RunSpec spec = new RunSpec(
                RunSpec.Mode.LOAD,
                "native",
                "some.Class",
                "workloadb",
                properties,
                7,
                5_000_000_000L,
                Optional.of(Duration.ofNanos(1_500_000_001)),
                Optional.of(new RatePlan(
                        List.of(
                                new RatePlan.Segment(0, 5, 100, 200.5),
                                new RatePlan.Segment(5, Double.POSITIVE_INFINITY, 200.5, 200.5)),
                        RatePlan.AfterStall.CAP,
                        17)),
                Optional.of(new Calibration(0.6, Duration.ofMillis(4_500), RatePlan.AfterStall.SKIP, 3)),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                3,
                -42,
                Path.of("/some where/run"),
                List.of("run", "native"),
                JsonNodeFactory.instance.objectNode().put("name", "embedded"),
                new ClientShare(2, 3),
                Optional.of(Instant.parse("2026-11-21T14:00:00.123456789Z")),
                123_456_789_012L,
                Map.of("drill", JsonNodeFactory.instance.objectNode().put("name", "n")));

        String line = RunSpecText.write(spec);

        assertThat(line).doesNotContain("\n");
        assertThat(RunSpecText.read(line)).isEqualTo(spec);
    }

    @Test
    void whatIsNotThereIsStillNotThere() {
        RunSpec spec = Specs.aRun(5).in(Path.of("/run"));

        assertThat(RunSpecText.read(RunSpecText.write(spec))).isEqualTo(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "{}", "{\"mode\":\"RUN\"}"})
    void whatIsNoRunIsRefused(String line) {
        assertThatThrownBy(() -> RunSpecText.read(line)).isInstanceOf(IllegalArgumentException.class);
    }
}
