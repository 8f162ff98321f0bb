package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The phases that a node may reach through a fault alone, in order. */
public enum Reach {
    ALL(between(Phase.FAULT, Phase.RECOVERED)),
    DOWN(between(Phase.FAULT, Phase.DOWN)),
    UP(between(Phase.LOCAL_RECOVERY, Phase.RECOVERED)),
    /** Its beginning and its end. */
    ENDS(Stream.of(Phase.FAULT, Phase.RECOVERED)),
    RECOVERED(Stream.of(Phase.RECOVERED));

    private final List<Phase> phases;

    Reach(Stream<Phase> phases) {
        this.phases = phases.toList();
    }

    private static Stream<Phase> between(Phase first, Phase last) {
        return Arrays.stream(Phase.values()).filter(p -> p.compareTo(first) >= 0 && p.compareTo(last) <= 0);
    }

    List<Phase> phases() {
        return phases;
    }
}
