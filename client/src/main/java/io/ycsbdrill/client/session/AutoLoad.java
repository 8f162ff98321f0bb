package io.ycsbdrill.client.session;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.run.ClientShare;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The load that a run on an empty table does first. */
public final class AutoLoad {
    /** A load measures nothing here, so it need not be as slow as one thread. */
    private static final int LEAST_THREADS = 8;

    private AutoLoad() {}

    /** Where the load is written: a run directory must be empty when the run begins, so it cannot be there yet. */
    private static Path beside(Path out) {
        return out.resolveSibling(out.getFileName() + ".load");
    }

    /** Moves the load's directory, if there was a load, into that of the run as soon as the run has made it. */
    public static RunCompanion keptIn(Path out) {
        return run -> keep(out);
    }

    /** Does so now. */
    public static void keep(Path out) {
        if (Files.isDirectory(beside(out))) {
            try {
                Files.move(beside(out), out.resolve("load"));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the load's directory cannot be moved to " + out + ": " + FileReason.of(e), e);
            }
        }
    }

    /** Loads the run's records into its table, as fast as it goes, into a folder beside the run directory. */
    public static RunSpec of(RunSpec run) {
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
                beside(run.out()),
                run.command(),
                run.engine(),
                ClientShare.WHOLE,
                Optional.empty(),
                Map.of());
    }

    /**
     * Records of a complete load that are not known to be in the table.
     *
     * @throws UncheckedIOException when the load has no summary, as one that did not begin
     */
    public static long notLoaded(RunResult load) {
        return StoredSummary.of(load.directory()).notLoaded();
    }
}
