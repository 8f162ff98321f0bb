package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.ClientLoad.Reading;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

class ClientMeterTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    private Path directory;

    private long now;
    private final StringWriter text = new StringWriter();

    @Test
    void stallIsCutAtTheSlicesThatItCovers() throws IOException {
        TableWriter file = new TableWriter(RunTable.CLIENT, text);
        ClientMeter meter = new ClientMeter(
                new RunClock(() -> now, 0, Instant.EPOCH), 100 * MILLI, new ClientLoad(), file, new RunState());
        while (now < 150 * MILLI) {
            wakes(meter, ClientMeter.NAP_NANOS);
        }

        wakes(meter, 300 * MILLI); // due at 155 ms, awake at 450 ms
        wakes(meter, 60 * MILLI);
        file.flush();

        assertThat(stalls()).containsExactly("0", "45", "100", "100", "50");
        assertThat(text.toString())
                .startsWith("slice,start_s,stall_ms,gc_ms,client_cpus,machine_idle,machine_steal\n0,0,0,");
    }

    @Test
    void stallOfManySecondsHasARowForEachSlice() throws IOException {
        TableWriter file = new TableWriter(RunTable.CLIENT, text);
        ClientMeter meter = new ClientMeter(
                new RunClock(() -> now, 0, Instant.EPOCH), 100 * MILLI, new ClientLoad(), file, new RunState());

        wakes(meter, 10_005 * MILLI);
        wakes(meter, 100 * MILLI);
        file.flush();

        assertThat(stalls()).hasSize(101).startsWith("95", "100").endsWith("100", "90");
    }

    @Test
    void useIsTheDifferenceOfTwoReadings() {
        Reading before = new Reading(1_000, 500, 10, ClientLoad.fields("cpu  100 0 50 800 50 0 0 0 0 0"));
        Reading after = new Reading(1_001_000, 1_500_500, 35, ClientLoad.fields("cpu  130 0 60 830 60 0 0 20 0 0"));

        ClientLoad.Use use = after.since(before);

        assertThat(use.gcMillis()).isEqualTo(25);
        assertThat(use.clientCpus()).isEqualTo(1.5);
        assertThat(use.idle()).isCloseTo(0.4, within(1e-9));
        assertThat(use.steal()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void machineThatSaysNothingIsNotKnown() {
        Reading reading = new Reading(0, 0, 0, new long[0]);

        assertThat(reading.since(reading).idle()).isNaN();
        assertThat(reading.since(reading).steal()).isNaN();
    }

    @Test
    void everyRunHasARowForEachOfItsSlices() throws IOException {
        ScriptedDb.reset((operation, key) -> {
            if (operation.equals("READ")) {
                Thread.sleep(1);
            }
            return Status.OK;
        });
        RunFiles files = new RunFiles(directory.resolve("run"));

        new BenchmarkRun(
                        Specs.aRun(0)
                                .with("readproportion", "1")
                                .with("updateproportion", "0")
                                .lasting(Duration.ofSeconds(1))
                                .in(files.directory()),
                        List.of())
                .execute();

        List<Map<String, String>> rows = files.csv("client.csv");
        // A busy machine starts the meter late, in a later slice than the run, and ends the run late.
        int slices =
                (int) Math.ceil(files.json("run.json").path("durationNanos").asLong() / 1e8);
        int first = Integer.parseInt(rows.get(0).get("slice"));
        assertThat(slices).isGreaterThanOrEqualTo(10);
        assertThat(first + rows.size()).isBetween(slices - 1, slices + 1);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).containsEntry("slice", "" + (first + i));
        }
        assertThat(rows).anySatisfy(row -> assertThat(Double.parseDouble(row.get("client_cpus")))
                .isPositive());
    }

    private void wakes(ClientMeter meter, long after) throws IOException {
        now += after;
        meter.woke(now);
    }

    private List<String> stalls() {
        return text.toString().lines().skip(1).map(row -> row.split(",", -1)[2]).toList();
    }
}
