package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.run.RunSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The load that a run on an empty table does first. */
final class AutoLoad {
    /** A load measures nothing here, so it need not be as slow as one thread. */
    private static final int LEAST_THREADS = 8;

    private AutoLoad() {}

    /** Loads the run's records into its table, as fast as it goes, into the folder {@code load} of its run directory. */
    static RunSpec of(RunSpec run) {
        Properties properties = new Properties();
        properties.putAll(run.properties());
        properties.remove("target");
        properties.remove("maxexecutiontime");
        long first = Long.parseLong(properties.getProperty("insertstart", "0"));
        String count = properties.getProperty("insertcount", "");
        long records =
                count.isEmpty() ? Long.parseLong(properties.getProperty("recordcount")) - first : Long.parseLong(count);
        return new RunSpec(
                RunSpec.Mode.LOAD,
                run.binding(),
                run.bindingClass(),
                run.workloadName(),
                properties,
                (int) Math.min(records, Math.max(LEAST_THREADS, run.threads())),
                records,
                Optional.empty(),
                Optional.empty(),
                run.window(),
                Duration.ZERO,
                Duration.ZERO,
                run.insertRetries(),
                run.seed(),
                run.out().resolve("load"),
                run.command(),
                run.engine(),
                Map.of());
    }
}
