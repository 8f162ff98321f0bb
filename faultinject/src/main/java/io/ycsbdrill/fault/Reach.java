package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import java.util.Arrays;
import java.util.List;

/** Ranges of phases, in order. */
final class Reach {
    static final List<Phase> ALL = between(Phase.FAULT, Phase.RECOVERED);
    static final List<Phase> DOWN = between(Phase.FAULT, Phase.DOWN);
    static final List<Phase> UP = between(Phase.LOCAL_RECOVERY, Phase.RECOVERED);

    private Reach() {}

    private static List<Phase> between(Phase first, Phase last) {
        return Arrays.stream(Phase.values())
                .filter(p -> p.compareTo(first) >= 0 && p.compareTo(last) <= 0)
                .toList();
    }
}
