package io.ycsbdrill.client.run.measure;

/**
 * A call has returned, or failed, after it was abandoned at its deadline: what it says no longer counts, and its thread ends. An error, so
 * that no workload takes it for a result.
 */
public final class AbandonedCall extends Error {
    private static final long serialVersionUID = 1L;

    public AbandonedCall() {
        super("the call was abandoned at its deadline", null, false, false);
    }
}
