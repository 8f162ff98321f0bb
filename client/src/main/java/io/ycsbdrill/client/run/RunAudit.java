package io.ycsbdrill.client.run;

import io.ycsbdrill.client.audit.Audit;
import java.util.function.Consumer;

/**
 * The audit of a run, when there is one.
 *
 * @param say notified of how far the read-back is
 */
record RunAudit(Audit audit, Consumer<String> say) {
    /** The ledger's share of the heap. */
    private static final int HEAP_SHARE = 4;

    static RunAudit of(RunSpec spec, Consumer<String> say) {
        long limit = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        return new RunAudit(Audit.of(spec.properties(), SpecCheck.isCore(spec.properties()), limit), say);
    }
}
