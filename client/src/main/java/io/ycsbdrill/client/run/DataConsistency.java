package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.Summary;
import io.ycsbdrill.workload.ChecksData;
import io.ycsbdrill.workload.Consistency;
import io.ycsbdrill.workload.Consistency.Condition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import site.ycsb.DB;

/** Lets a workload check its data before and after a run, for {@code consistency.json}. Used by the thread that executes the run. */
final class DataConsistency {
    private final ChecksData workload;
    private final WorkloadSetup setup;
    private final String bindingClass;

    private DataConsistency(ChecksData workload, WorkloadSetup setup, String bindingClass) {
        this.workload = workload;
        this.setup = setup;
        this.bindingClass = bindingClass;
    }

    /** The check for this run; empty when its workload cannot check its data, or is not to. */
    static Optional<DataConsistency> of(RunSpec spec, WorkloadSetup setup) {
        return spec.mode() == RunSpec.Mode.RUN
                        && setup.workload() instanceof ChecksData checking
                        && checking.isChecked(setup.properties())
                ? Optional.of(new DataConsistency(checking, setup, spec.bindingClass()))
                : Optional.empty();
    }

    /** @throws Exception when the data cannot be read */
    void before() throws Exception {
        workload.before(this::connect);
    }

    /**
     * Checks the data, unless a call may still change them.
     *
     * @param unfinished calls that have not returned
     * @return {@code consistency.json}
     */
    ObjectNode after(List<Summary.Unfinished> unfinished, BooleanSupplier cancelled) throws InterruptedException {
        if (!unfinished.isEmpty()) {
            return json(new Consistency(
                    "the workload's data",
                    true,
                    List.of(),
                    Map.of(),
                    unfinished.size(),
                    List.of(Formatted.of(
                            "not checked: %d {call has|calls have} not returned and may still change them",
                            unfinished.size())),
                    0));
        }
        return json(workload.after(this::connect, cancelled));
    }

    private DB connect() throws Exception {
        DB db = setup.make(bindingClass);
        db.init();
        return db;
    }

    private static ObjectNode json(Consistency consistency) {
        ObjectNode json = RunDirectory.JSON
                .createObjectNode()
                .put("schema", RunDirectory.SCHEMA)
                .put("subject", consistency.subject())
                .put("promised", consistency.promised())
                .put("violated", consistency.violated())
                .put("unreadable", consistency.unreadable())
                .put("seconds", consistency.seconds());
        ArrayNode conditions = json.putArray("conditions");
        for (Condition condition : consistency.conditions()) {
            ObjectNode node = conditions
                    .addObject()
                    .put("name", condition.name())
                    .put("text", condition.text())
                    .put("checked", condition.checked())
                    .put("violated", condition.violated());
            condition.examples().forEach(node.putArray("examples")::add);
        }
        ObjectNode figures = json.putObject("figures");
        consistency.figures().forEach(figures::put);
        consistency.problems().forEach(json.putArray("problems")::add);
        return json;
    }
}
