package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.EngineContext;
import java.util.List;

/** The recipe of an engine whose programs are one installation, which is looked for as a whole. Stateless and thread-safe. */
public interface InstalledRecipe<O, C extends ProcessCluster<?>> extends EngineRecipe<O, C> {

    /** Where its installation is looked for. */
    EngineHomes<?> homes();

    @Override
    default String name() {
        return homes().engine();
    }

    @Override
    default String title() {
        return homes().title();
    }

    @Override
    default List<Finding> diagnose(EngineContext context) {
        boolean up = context.clusters().find(name()).isPresent();
        return homes().diagnose(
                        context,
                        Finding.detail("next: ycsb "
                                + (up
                                        ? "run " + bindings().get(0) + " -P workloads/workloadb"
                                        : "cluster up " + name())));
    }
}
