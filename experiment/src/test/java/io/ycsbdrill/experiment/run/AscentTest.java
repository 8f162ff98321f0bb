package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Variant;
import io.ycsbdrill.experiment.spec.Words;
import org.junit.jupiter.api.Test;

class AscentTest {
    private final Experiment experiment = Words.experiment(
            "{axes: {threads: [1, 2, 4, 8], workload: [a, b]}, fixed: {binding: x}, ascend: threads, repeats: 2}");
    private final Ascent ascent = new Ascent(experiment);

    private Cell cell(String threads, String workload, int repeat) {
        Variant variant = experiment.variants().stream()
                .filter(v -> v.levels().get("threads").equals(threads)
                        && v.levels().get("workload").equals(workload))
                .findFirst()
                .orElseThrow();
        return Cell.of(variant, repeat, false);
    }

    @Test
    void oneLevelThatDoesNotCountStopsNothing() {
        ascent.ended(cell("1", "a", 1), false);
        ascent.ended(cell("2", "a", 1), true);
        ascent.ended(cell("4", "a", 1), false);

        assertThat(ascent.objection(cell("8", "a", 1))).isEmpty();
    }

    @Test
    void twoInARowEndTheAscentOfTheirCombinationOnly() {
        ascent.ended(cell("1", "a", 1), false);
        ascent.ended(cell("2", "a", 1), false);

        assertThat(ascent.objection(cell("4", "a", 1)))
                .contains("threads 1 and 2 do not count, so the ascent ended there");
        assertThat(ascent.objection(cell("8", "a", 1))).isPresent();
        assertThat(ascent.objection(cell("8", "b", 1))).isEmpty();
    }

    @Test
    void aLevelThatDoesNotCountOnceIsNotRepeated() {
        ascent.ended(cell("4", "a", 1), false);

        assertThat(ascent.objection(cell("4", "a", 2))).isPresent();
        assertThat(ascent.objection(cell("2", "a", 2))).isEmpty();
    }

    @Test
    void withoutAnAscentEverythingIsRun() {
        Ascent none = new Ascent(Words.experiment("{axes: {threads: [1, 2, 4]}, fixed: {binding: x}}"));
        none.ended(cell("1", "a", 1), false);

        assertThat(none.objection(cell("1", "a", 2))).isEmpty();
    }
}
