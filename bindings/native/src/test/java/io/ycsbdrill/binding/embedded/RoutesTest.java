package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.embedded.Routes.Version;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {

    @Test
    void anAnswerHasVersionLiveNodesAndPrimaries() {
        Routes routes = Routes.of(new long[] {1_700_000_000_000L, 5, 2, 10_800, 10_801, 10_801, 0, 10_800});

        assertThat(routes.version()).isEqualTo(new Version(1_700_000_000_000L, 5));
        assertThat(routes.live()).containsExactlyInAnyOrder(10_800, 10_801);
        assertThat(routes.primaries()).containsExactly(10_801, 0, 10_800);
    }

    @Test
    void aVersionIsOnlyOlderThanALaterOneOfTheSameRing() {
        Version known = new Version(1, 5);

        assertThat(new Version(1, 4).isBefore(known)).isTrue();
        assertThat(new Version(1, 5).isBefore(known)).isFalse();
        assertThat(new Version(1, 6).isBefore(known)).isFalse();
        assertThat(new Version(2, 3).isBefore(known))
                .as("all nodes were started again")
                .isFalse();
    }

    @Test
    void theSameNumberInAnotherRingIsAnotherVersion() {
        assertThat(new Version(2, 3)).isNotEqualTo(new Version(1, 3));
    }

    /** Live nodes, ring and version of what is known and of an answer; who gives it; the nodes with a connection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // One cluster: the later version, whoever has it.
                "1 2 3 @1.5 | 2 3 @1.6     | 2 | 1 2 3   | fresh",
                "1 2 3 @1.5 | 1 2 3 @1.5   | 3 | 1 2 3   | fresh",
                "2 3 @1.6   | 1 2 3 @1.5   | 3 | 2 3     | known",
                "1 2 @1.5   | 1 2 3 @1.4   | 2 | 1 2     | known",
                "1 @1.7     | 1 2 @1.8     | 1 | 1       | fresh",
                // A node that has joined, as itself or another one sees it.
                "2 3 @1.6   | 1 2 3 @1.7   | 1 | 1 2 3   | fresh",
                "2 3 @1.6   | 1 2 3 @1.7   | 2 | 2 3     | fresh",
                "1 2 3 @1.7 | 2 3 @1.6     | 3 | 1 2 3   | known",
                "1 2 3 @1.5 | 1 2 3 4 @1.6 | 4 | 1 2 3 4 | fresh",
                // A node that does not know yet that the others have lost it.
                "1 2 @1.6   | 1 2 3 @1.5   | 3 | 1 2 3   | known",
                "1 3 @1.6   | 2 @1.7       | 2 | 1 2 3   | known",
                // A partition, in whichever order the sides notice it and answer.
                "1 2 3 @1.5 | 1 @1.7       | 1 | 1 2 3   | fresh",
                "1 @1.7     | 2 3 @1.6     | 2 | 1 2 3   | fresh",
                "1 @1.7     | 2 3 @1.6     | 3 | 1 3     | fresh",
                "1 @1.7     | 1 2 3 @1.5   | 2 | 1 2 3   | fresh",
                "2 3 @1.6   | 1 @1.7       | 1 | 1 2 3   | known",
                "2 3 @1.6   | 1 2 3 @1.5   | 1 | 1 2 3   | known",
                "2 3 @1.6   | 1 3 @1.6     | 1 | 1 2 3   | known",
                "1 3 @1.6   | 2 3 @1.6     | 3 | 1 2 3   | fresh",
                "2 3 4 @1.6 | 1 @1.8       | 1 | 1 2 3 4 | known",
                "1 @1.8     | 2 3 4 @1.6   | 4 | 1 4     | fresh",
                "1 2 @1.8   | 3 4 5 @1.7   | 3 | 1 2 3   | fresh",
                // Sides of one size: the one with the first node, as long as any of it can be reached.
                "1 2 @1.7   | 3 4 @1.7     | 3 | 1 2 3 4 | known",
                "1 2 @1.7   | 3 4 @1.7     | 3 | 3 4     | fresh",
                "3 4 @1.7   | 1 2 @1.7     | 1 | 1 4     | fresh",
                "3 4 @1.7   | 1 2 @1.7     | 1 | 1 2     | fresh",
                "1 @1.3     | 2 @1.3       | 2 | 1 2     | known",
                "1 @1.3     | 2 @1.3       | 2 | 2       | fresh",
                "2 @1.3     | 1 @1.3       | 1 | 1 2     | fresh",
                // Without the first node: the one that is known, as long as any of it can be reached.
                "2 3 @1.7   | 4 5 @1.7     | 4 | 2 3 4 5 | known",
                "4 5 @1.7   | 2 3 @1.7     | 2 | 2 3 4 5 | known",
                "4 5 @1.7   | 2 3 @1.7     | 2 | 2 3     | fresh",
                // The smaller side has ended, or the larger one has while the smaller one can be reached.
                "1 @1.7     | 2 3 @1.6     | 2 | 2 3     | fresh",
                "2 3 @1.6   | 1 @1.7       | 1 | 1       | fresh",
                // The smaller side has joined again, at a version that it had passed by itself.
                "1 @1.8     | 1 2 3 4 @1.7 | 2 | 1 2 3 4 | fresh",
                "2 3 4 @1.6 | 1 2 3 4 @1.7 | 1 | 1 2 3 4 | fresh",
                // All nodes were started again.
                "1 2 3 @1.9 | 1 @2.1       | 1 | 1       | fresh",
                "3 @1.11    | 1 @2.1       | 1 | 1       | fresh",
                "3 @1.11    | 1 2 3 @2.3   | 1 | 1 2 3   | fresh",
                "1 @2.1     | 1 2 @2.2     | 2 | 1 2     | fresh",
            })
    void versionsHaveAnOrderWithinOneSideAndOfTwoSidesTheLargerOneHolds(
            String knownText, String freshText, int by, String connected, String holds) {
        Routes known = routes(knownText);
        Routes fresh = routes(freshText);

        assertThat(Routes.newer(known, fresh, by, ports(connected), 1)).isSameAs(holds.equals("fresh") ? fresh : known);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 2 3 4", "1 4 3 2", "2 1 3 4", "2 3 4 1", "4 3 1 2", "1 1 1 2", "2 1 1 1", "1 3 1 3"})
    void aPartitionEndsOnTheLargerSideAndTheRejoinInTheWholeCluster(String order) {
        Set<Integer> all = Set.of(1, 2, 3, 4);
        Routes known = routes("1 2 3 4 @1.5");
        for (int by : numbers(order)) {
            known = Routes.newer(known, routes(by == 1 ? "1 @1.8" : "2 3 4 @1.6"), by, all, 1);
        }
        assertThat(known.live()).as("while it lasts").containsExactlyInAnyOrder(2, 3, 4);

        for (int by : numbers(order)) {
            known = Routes.newer(known, routes("1 2 3 4 @1.7"), by, all, 1);
        }
        assertThat(known.live()).as("after it").isEqualTo(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 2 3 4", "3 4 1 2", "3 4 3 1", "4 1 3 2", "3 3 4 1"})
    void aPartitionIntoHalvesEndsOnTheOneWithTheFirstNode(String order) {
        Set<Integer> all = Set.of(1, 2, 3, 4);
        Routes known = routes("1 2 3 4 @1.5");
        for (int by : numbers(order)) {
            known = Routes.newer(known, routes(by < 3 ? "1 2 @1.7" : "3 4 @1.7"), by, all, 1);
        }

        assertThat(known.live()).containsExactlyInAnyOrder(1, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 @1.7   | 1 2 3 | false",
                "1 @1.7   | 1 2   | true",
                "1 @1.7   | 1     | true",
                "2 3 @1.6 | 1 2 3 | true",
                "1 2 @1.8 | 1 2 3 4 5 | false",
                // Half of them: only with the first node.
                "2 @1.7       | 1 2     | false",
                "1 2 @1.7     | 1 2 3 4 | true",
                "3 4 @1.7     | 1 2 3 4 | false",
                "1 2 3 4 @1.5 | 1 2 3 4 | true",
            })
    void aSideIsEnoughWhenItHasMostOfTheNodesThatCanBeReached(String side, String connected, boolean enough) {
        assertThat(routes(side).hasMost(ports(connected), 1)).isEqualTo(enough);
    }

    /** @param text live nodes, then ring and version */
    private static Routes routes(String text) {
        String[] parts = text.split(" @");
        String[] version = parts[1].split("\\.");
        return new Routes(
                new Version(Long.parseLong(version[0]), Long.parseLong(version[1])), ports(parts[0]), new int[0]);
    }

    private static Set<Integer> ports(String text) {
        return Arrays.stream(numbers(text)).boxed().collect(Collectors.toSet());
    }

    private static int[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
