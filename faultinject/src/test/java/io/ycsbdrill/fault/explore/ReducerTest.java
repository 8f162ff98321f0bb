package io.ycsbdrill.fault.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.explore.Reducer.Rate;
import io.ycsbdrill.fault.explore.Reducer.Seen;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ReducerTest {
    private int runs;

    private static DrawnStep step(String name, String kind, String... keys) {
        DrawnStep step = new DrawnStep(name, kind, Map.of());
        for (int i = 0; i < keys.length; i += 2) {
            step = step.with(keys[i], keys[i + 1]);
        }
        return step;
    }

    private static DrawnDrill three() {
        return new DrawnDrill(
                Map.of("load", "400/s"),
                List.of(
                        step(
                                "first", "kill", "fault", "restart", "mode", "kill", "down", "4s", "node", "n1", "at",
                                "3s"),
                        step("second", "pause", "fault", "pause", "duration", "8s", "node", "n2", "at", "n1.down + 1s"),
                        step(
                                "third",
                                "kill",
                                "fault",
                                "restart",
                                "mode",
                                "kill",
                                "node",
                                "same-as:second",
                                "after",
                                "second.recovered",
                                "delay",
                                "1s")));
    }

    private DrawnDrill reduced(Predicate<DrawnDrill> shows, Rate rate) {
        return new Reducer(
                        drill -> {
                            runs++;
                            return shows.test(drill) ? Seen.SHOWN : Seen.NOT_SHOWN;
                        },
                        () -> true)
                .reduce(three(), rate);
    }

    private static boolean has(DrawnDrill drill, String kind) {
        return drill.steps().stream().anyMatch(step -> step.kind().equals(kind));
    }

    @Test
    void whatIsNotNeededIsRemoved() {
        DrawnDrill reduced = reduced(drill -> has(drill, "pause"), new Rate(3, 3));

        assertThat(reduced.text())
                .isEqualTo("load: 25/s\nsteps:\n  - {step: second, fault: pause, duration: 500ms, node: n2, at: 0s}\n");
    }

    @Test
    void whatIsNeededStays() {
        DrawnDrill reduced = reduced(
                drill -> has(drill, "pause")
                        && drill.text().contains("n1.down")
                        && drill.steps().stream()
                                .anyMatch(step -> step.key("duration").matches("[48]s")),
                new Rate(3, 3));

        assertThat(reduced.steps()).hasSize(2);
        assertThat(reduced.text())
                .contains("{step: first, fault: restart, mode: kill, down: 0s, node: n1, at: 0s}")
                .contains("duration: 4s")
                .contains("at: n1.down + 0s");
    }

    @Test
    void oneThatShowsItNowAndThenIsTriedSoOftenThatItIsSeldomMissed() {
        assertThat(new Rate(4, 4).tries()).isEqualTo(1);
        assertThat(new Rate(2, 4).tries()).isEqualTo(4);
        assertThat(new Rate(1, 4).tries()).isEqualTo(Reducer.MOST_TRIES);
        Random random = new Random(1);

        DrawnDrill reduced = reduced(drill -> has(drill, "pause") && random.nextInt(10) < 7, new Rate(3, 4));

        assertThat(reduced.steps()).hasSize(1);
    }

    /** A run that says nothing was counted as one that does not show it. */
    @Test
    void whatIsJudgedOfTheFurtherRunsIsCounted() {
        Seen[] each = {Seen.SHOWN, Seen.NOT_JUDGED, Seen.NOT_SHOWN, Seen.NOT_JUDGED};
        Reducer reducer = new Reducer(drill -> each[runs++], () -> true);

        assertThat(reducer.again(three(), 4)).isEqualTo(new Rate(1, 2));
        assertThat(new Rate(1, 2).andOneThatDid()).isEqualTo(new Rate(2, 3));
    }

    @Test
    void whenTimeIsUpTheSmallestSoFarIsGiven() {
        Reducer reducer = new Reducer(
                drill -> {
                    runs++;
                    return Seen.SHOWN;
                },
                () -> runs < 2);

        assertThat(reducer.reduce(three(), new Rate(1, 1)).steps()).hasSize(1);
        assertThat(runs).isEqualTo(2);
    }

    @Test
    void everyCandidateIsAnotherDrill() {
        assertThat(Reducer.candidates(three()))
                .extracting(DrawnDrill::text)
                .doesNotHaveDuplicates()
                .doesNotContain(three().text());
    }
}
