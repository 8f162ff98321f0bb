package io.ycsbdrill.workload;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Whether the data of a run are consistent. Immutable.
 *
 * @param subject what was checked, for display: {@code TPC-C-like, mode tx}
 * @param promised whether the way the run was made promises that all conditions hold; if not, violations are figures, not faults
 * @param conditions in the order of display
 * @param figures more counts by name, in the order of display
 * @param unreadable rows that could not be read, so that more may be violated than was found
 * @param problems why rows could not be read, each once
 * @param seconds how long the check took
 */
public record Consistency(
        String subject,
        boolean promised,
        List<Condition> conditions,
        Map<String, Long> figures,
        long unreadable,
        List<String> problems,
        double seconds) {

    public Consistency {
        Objects.requireNonNull(subject, "subject");
        conditions = List.copyOf(conditions);
        problems = List.copyOf(problems);
    }

    /**
     * One condition.
     *
     * @param name short
     * @param text what must hold
     * @param checked in how many places it was checked
     * @param violated in how many of them it does not hold
     * @param examples of violations, some of them
     */
    public record Condition(String name, String text, long checked, long violated, List<String> examples) {
        public Condition {
            examples = List.copyOf(examples);
        }
    }

    /** In how many places a condition does not hold. */
    public long violated() {
        return conditions.stream().mapToLong(Condition::violated).sum();
    }
}
