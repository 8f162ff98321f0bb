package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.recovery.Recovery;
import java.util.List;

/**
 * How a schedule ended.
 *
 * @param failures why its results are invalid; empty when everything was injected and every node came back
 * @param stopped whether it was stopped before its end
 * @param recoveries what the nodes went through, in order of their beginning
 */
public record DrillOutcome(List<String> failures, boolean stopped, List<Recovery> recoveries) {
    public DrillOutcome {
        failures = List.copyOf(failures);
        recoveries = List.copyOf(recoveries);
    }

    /** Whether the whole schedule was injected and every node recovered in time. */
    public boolean valid() {
        return failures.isEmpty() && !stopped;
    }
}
