package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.node.NodeControlException;
import java.util.List;

/** A schedule cannot run on a cluster: it lacks a node or a capability that a step needs. Nothing has been done to it. */
public final class ScheduleNotPossibleException extends NodeControlException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    ScheduleNotPossibleException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** One text for each problem, in order of the steps. */
    public List<String> problems() {
        return problems;
    }
}
