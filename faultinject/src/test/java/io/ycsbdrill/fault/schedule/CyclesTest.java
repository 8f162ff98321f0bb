package io.ycsbdrill.fault.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.schedule.Cycles.Cycle;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CyclesTest {
    private static final Cycles NINE = Cycles.of(9);

    private static DrillFile parsed(String cycles) throws DrillFileException {
        return DrillFile.parse("d.yaml", cycles + "\nsteps: [{fault: kill, node: random, at: 0s}]\n");
    }

    private static List<String> problems(String text) {
        return catchThrowableOfType(DrillFileException.class, () -> parsed(text))
                .problems();
    }

    @Test
    void thePlanHasEveryCycleOnceAndIsThatOfItsSeed() {
        assertThat(NINE.nulls()).isEqualTo(3);
        assertThat(NINE.pause()).isEqualTo(Duration.ofSeconds(20));

        List<Cycle> plan = NINE.plan(42);

        assertThat(plan)
                .extracting(Cycle::number)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 12).boxed().toList());
        assertThat(plan).filteredOn(Cycle::isNull).hasSize(3);
        assertThat(plan).extracting(Cycle::pause).doesNotHaveDuplicates();
        assertThat(NINE.plan(42)).isEqualTo(plan);
        assertThat(NINE.plan(43)).isNotEqualTo(plan);
    }

    @Test
    void nullCyclesAreAnywhereButFirstAndPausesAnywhereUpToTheLongest() {
        List<List<Cycle>> plans = LongStream.range(0, 2000).mapToObj(NINE::plan).toList();

        for (int i = 0; i < 12; i++) {
            int position = i;
            long nulls =
                    plans.stream().filter(plan -> plan.get(position).isNull()).count();
            // 3 of 11 positions: 545 of 2000, give or take five standard deviations of 20.
            assertThat(nulls).as("position %d", i).isBetween(i == 0 ? 0L : 445L, i == 0 ? 0L : 645L);
        }
        double[] pauses = plans.stream()
                .flatMap(List::stream)
                .mapToDouble(cycle -> cycle.pause().toNanos() / 1e9)
                .sorted()
                .toArray();
        assertThat(pauses[0]).isBetween(0.0, 0.1);
        assertThat(pauses[pauses.length / 2]).isBetween(9.5, 10.5);
        assertThat(pauses[pauses.length - 1]).isBetween(19.9, 20.0);
    }

    @Test
    void aDrillFileGivesANumberOrAllOfIt() throws DrillFileException {
        assertThat(parsed("cycles: 4").schedule().cycles()).contains(Cycles.of(4));
        assertThat(parsed("cycles: {count: 4, nulls: 0, pause: 3s}").schedule().cycles())
                .contains(new Cycles(4, 0, Duration.ofSeconds(3)));
        assertThat(parsed("").schedule().cycles()).isEmpty();
    }

    @Test
    void theCommandLineWinsOverTheNumberAndKeepsWhatElseTheFileSays() throws DrillFileException {
        assertThat(parsed("").repeated(9).schedule().cycles()).contains(NINE);
        assertThat(parsed("cycles: 4").repeated(9).schedule().cycles()).contains(NINE);
        assertThat(parsed("cycles: {count: 4, nulls: 1, pause: 3s}")
                        .repeated(9)
                        .schedule()
                        .cycles())
                .contains(new Cycles(9, 1, Duration.ofSeconds(3)));
        assertThat(parsed("cycles: {count: 9, nulls: 3}")
                        .repeated(30)
                        .schedule()
                        .cycles())
                .as("it says as many as it would have anyway")
                .contains(new Cycles(30, 3, Duration.ofSeconds(20)));
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(problems("cycles: 0"))
                .singleElement()
                .asString()
                .contains("cycles: \"0\" is out of range; allowed: 1 to 1000");
        assertThat(problems("cycles: {nulls: -1, pauses: 3s}"))
                .anyMatch(p -> p.contains("cycles.count: is missing"))
                .anyMatch(p -> p.contains("cycles.nulls: \"-1\" is out of range; allowed: 0 to 1000"))
                .anyMatch(p -> p.contains("cycles.pauses: unknown key"));
        assertThat(problems("steady: off\ncycles: 3"))
                .singleElement()
                .asString()
                .contains("cycles: each of them begins when the throughput is steady")
                .contains("remove steady: off");
    }

    @Test
    void withoutASteadyStateThereIsNothingToReturnTo() {
        FaultSchedule schedule = FaultSchedule.named("d")
                .step(ScheduledFault.step("kill", new KillNode()))
                .build();

        assertThatThrownBy(() -> schedule.repeated(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("each cycle begins when the throughput is steady");
        assertThatThrownBy(() -> Cycles.of(0)).hasMessageContaining("cycles 0 is not within 1 to 1000");
    }
}
