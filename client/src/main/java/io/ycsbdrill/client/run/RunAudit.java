package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.audit.journal.AuditDb;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.rundir.RunFile;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import site.ycsb.DB;

/** The audit of a run: its client threads are {@link #around audited}, and {@link #readBack} writes {@code audit.json} when they have ended. */
public final class RunAudit {
    private final RunSpec spec;
    private final Audit audit;

    RunAudit(RunSpec spec) {
        this.spec = spec;
        audit = Audit.of(spec.properties(), SpecCheck.isCore(spec.properties()), spec.out(), LoadOfRun.of(spec));
    }

    /**
     * See {@link Audit#around}.
     *
     * @param number of the thread, below {@link AuditCheck#writers}
     */
    AuditDb around(DB db, int number) {
        return audit.around(db, spec.auditRun(), firstWriter() + number);
    }

    private int firstWriter() {
        return (spec.part().number() - 1) * AuditCheck.writers(spec.part().of());
    }

    /**
     * Reads back what a run has written whose client threads are gone: of several clients, or of a process that was killed. What has
     * been written since then by others looks lost.
     *
     * @param spec of the run; its directory holds the journals, and gets {@code audit.json}
     * @param start of the run
     * @param atOnce see {@link Audit#readBack}
     * @param counted writes that succeeded as the run has counted them: when the journals have fewer, some of them are missing
     * @throws java.io.UncheckedIOException when a file cannot be read or written
     */
    public static void readBack(
            RunSpec spec, Instant start, boolean atOnce, long counted, BooleanSupplier cancelled, Consumer<String> say)
            throws InterruptedException {
        ObjectNode audit = new RunAudit(spec).readBack(history -> history.nanosAt(start), atOnce, cancelled, say);
        // What is kept back to be sent later succeeds, and is unknown there.
        ObjectNode writes = (ObjectNode) audit.path("writes");
        long journalled = writes.path("ok").asLong() + writes.path("unknown").asLong();
        if (counted > journalled) {
            writes.put("inNoJournal", counted - journalled);
        }
        RunDirectory.create(spec.out()).write(RunFile.AUDIT, audit);
    }

    /** See {@link Audit#close}. */
    void close() {
        audit.close();
    }

    ObjectNode readBack(
            ToLongFunction<WriteHistory> originNanos, boolean atOnce, BooleanSupplier cancelled, Consumer<String> say)
            throws InterruptedException {
        return audit.readBack(this::connect, spec.threads(), originNanos, atOnce, cancelled, say);
    }

    private DB connect(Map<String, String> changes) throws Exception {
        DB db = WorkloadSetup.binding(spec.bindingClass());
        Properties changed = new Properties();
        changed.putAll(spec.properties());
        changed.putAll(changes);
        db.setProperties(changed);
        db.init();
        return db;
    }
}
