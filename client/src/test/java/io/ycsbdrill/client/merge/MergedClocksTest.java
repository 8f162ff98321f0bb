package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.Specs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients on several machines, whose clocks differ. */
class MergedClocksTest extends MergedRuns {
    /** The second one's clock is ahead by three seconds and a third of a slice. */
    @Test
    void clientWhoseClockWasComparedIsMovedByItsOffset() throws IOException {
        long ahead = 3 * SECOND + 33_000_000;
        Recording one = Recording.random(1, 2_000, 5 * SECOND, START);
        Recording two = Recording.random(2, 2_000, 5 * SECOND, START.plusNanos(ahead));
        Path first = client(1, 2, one);
        Path second = client(2, 2, two);
        new ClientClock(ahead, 250_000, 21).write(second);

        RunMerge.Merged merged = merge(first, second);

        JsonNode clients = merged().json("run.json").path("clients");
        assertThat(clients.get(1).path("offsetNanos").asLong()).isZero();
        assertThat(clients.get(1).path("windowErrorNanos").asLong()).isZero();
        assertThat(clients.get(1).at("/clock/uncertaintyNanos").asLong()).isEqualTo(250_000);
        assertThat(merged().json("run.json").path("durationNanos").asLong()).isEqualTo(5 * SECOND);
        assertThat(merged.notes())
                .contains("clock offset between the clients: client 2 was 3033.000 ms ahead of client 1, give or take"
                        + " 0.250 ms, and is moved by as much");
    }

    @Test
    void aClientOnAnotherMachineWhoseClockWasNotComparedIsNamed() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        List<Path> parts = new ArrayList<>();
        for (int number = 1; number <= 4; number++) {
            int i = number;
            parts.add(all.write(root.resolve("client-" + i), Specs.aRun(100), run -> {
                part(run, i, 4);
                boot(run, i == 4 ? "m1" : "m" + i);
            }));
        }
        new ClientClock(0, 250_000, 21).write(parts.get(1));

        assertThat(merge(parts.toArray(Path[]::new)).notes())
                .contains("clock offset between the clients: client 2 was 0.000 ms ahead of client 1, give or take"
                        + " 0.250 ms, and is moved by as much; that of client 3 is not known, and its times are by its"
                        + " own clock");
    }

    @Test
    void clocksOfOneMachineAreOneAndOfSeveralAreNotKnown() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = all.write(root.resolve("a"), Specs.aRun(100), run -> boot(run, "m1"));
        Path two = new Recording(all.operations(), all.endNanos(), START.plusSeconds(1))
                .write(root.resolve("b"), Specs.aRun(100), run -> boot(run, "m1"));
        Path three = new Recording(all.operations(), all.endNanos(), START.plusSeconds(2))
                .write(root.resolve("c"), Specs.aRun(100), run -> boot(run, "m2"));

        assertThat(merge(one, two).notes().get(0)).contains("none, they ran on one machine");
        RunMerge.Merged apart = RunMerge.merge(List.of(one, three), root.resolve("x"), List.of(), List.of());
        assertThat(apart.notes().get(0)).contains("not known", "2 machines", "NTP");
        JsonNode run = new RunFiles(root.resolve("x")).json("run.json");
        assertThat(run.path("threads").asInt()).isEqualTo(2);
        assertThat(run.path("operations").asInt()).isEqualTo(200);
    }

    private static void boot(ObjectNode run, String id) {
        ((ObjectNode) run.path("host")).put("bootId", id);
    }
}
