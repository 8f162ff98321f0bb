package io.ycsbdrill.client.run;

import io.ycsbdrill.client.audit.Audit;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The audit of a run, when there is one.
 *
 * @param say notified of how far the read-back is
 */
record RunAudit(Audit audit, Consumer<String> say) {
    /** @param directory of the run */
    static RunAudit of(RunSpec spec, Path directory, Consumer<String> say) {
        return new RunAudit(Audit.of(spec.properties(), SpecCheck.isCore(spec.properties()), directory), say);
    }
}
