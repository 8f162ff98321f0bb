package io.ycsbdrill.client.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.CycleBegun;
import io.ycsbdrill.fault.marker.CycleEnded;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.PhaseEntered;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CycleWidthTest {
    private static final Occurrence KILL = new Occurrence("kill", 1, "kill", "kill");

    private final CycleWidth width = new CycleWidth();
    private int number;

    @Test
    void eachCycleSaysItsOwnTimeAndTheMedian() {
        assertThat(cycle(10.0))
                .isEqualTo("redundancy restored after 10.0 s; a median has an interval from 5 cycles on");
        assertThat(cycle(14.0)).isEqualTo("redundancy restored after 14.0 s; median of 2 cycles 12.0 s");
    }

    /** Of five the interval is the range: 9 to 15 around 12 is a quarter to either side, and a tenth takes (2.5)^2 times as many. */
    @Test
    void fromTheFifthOnItSaysTheIntervalAndHowManyANarrowOneTakes() {
        String last = "";
        for (double seconds : new double[] {12, 9, 15, 11, 13}) {
            last = cycle(seconds);
        }

        assertThat(last)
                .isEqualTo(
                        "redundancy restored after 13.0 s; median of 5 cycles 12.0 s, 93.75 % interval 9.0 to 15.0 s,"
                                + " \u00b1 25 %; \u00b1 10 % takes some 32 cycles");
    }

    @Test
    void aNarrowOneTakesNoMore() {
        String last = "";
        for (double seconds : new double[] {12, 11.9, 12.1, 12, 12.2}) {
            last = cycle(seconds);
        }

        assertThat(last).endsWith("93.75 % interval 11.9 to 12.2 s, \u00b1 2 %");
    }

    @Test
    void nullCyclesAndThoseThatTakeNoNodeDownOrDoNotEndOrHaveSeveralFaultsSayNothing() {
        List<Marker> nothing = List.of(new CycleBegun(0, 1, true), new CycleEnded(5, 1));
        List<Marker> pause = List.of(
                new CycleBegun(0, 2, false),
                started("node1", 1),
                new PhaseEntered(2, "node1", KILL, Phase.FAULT),
                new PhaseEntered(3, "node1", KILL, Phase.RECOVERED),
                new CycleEnded(5, 2));
        List<Marker> stays = List.of(
                new CycleBegun(0, 3, false),
                started("node1", 1),
                new PhaseEntered(2, "node1", KILL, Phase.DOWN),
                new CycleEnded(5, 3),
                new PhaseEntered(7, "node1", KILL, Phase.RECOVERED));
        List<Marker> several = new ArrayList<>(of(4, 10));
        several.add(2, started("node2", 3));

        for (List<Marker> markers : List.of(nothing, pause, several)) {
            assertThat(markers).allSatisfy(each -> assertThat(width.after(each)).isEmpty());
        }
        assertThat(cycle(10.0)).startsWith("redundancy restored after 10.0 s; a median");
        assertThat(stays).allSatisfy(each -> assertThat(width.after(each)).isEmpty());
        assertThat(cycle(10.0)).as("the median is a bound from now on").isEmpty();
    }

    @Test
    void whatSoManyCyclesCanTellIsSaidBefore() {
        assertThat(CycleWidth.expected(4)).isEqualTo("4 cycles: a median has an interval from 5 cycles on");
        assertThat(CycleWidth.expected(25))
                .startsWith("25 cycles: ")
                .contains("reaches about 2 % to either side where cycles scatter by 5 %, 5 % by 10 %, 10 % by 20 %");
    }

    private String cycle(double seconds) {
        List<Marker> markers = of(++number, seconds);
        markers.subList(0, markers.size() - 1)
                .forEach(each -> assertThat(width.after(each)).isEmpty());
        return width.after(markers.get(markers.size() - 1));
    }

    /** The node is started by a step of the drill, which begins nothing of its own. */
    private static List<Marker> of(int number, double seconds) {
        long from = number * 100_000_000_000L;
        return List.of(
                new CycleBegun(from, number, false),
                started("node1", from),
                new PhaseEntered(from + 1, "node1", KILL, Phase.DOWN),
                new FaultStarted(from + 2, "node1", KILL, "node1", true, false),
                new PhaseEntered(from + (long) (seconds * 1e9), "node1", KILL, Phase.RECOVERED),
                new CycleEnded(from + 90_000_000_000L, number));
    }

    private static FaultStarted started(String node, long at) {
        return new FaultStarted(at, node, KILL, node, false, false);
    }
}
