package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;

/** Receives the phase of the whole cluster. Called on the thread {@code fault-injector}; must not block. */
@FunctionalInterface
public interface PhaseListener {

    /** From that moment on, in nanoseconds since run start, the cluster is in this phase. */
    void entered(long sinceStartNanos, Phase phase);
}
