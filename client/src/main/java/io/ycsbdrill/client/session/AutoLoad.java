package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.SpecCheck;
import io.ycsbdrill.client.run.key.ClientShare;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.Client;

/** The load that a run on an empty table does first. */
final class AutoLoad {
    /** A load measures nothing here, so it need not be as slow as one thread. */
    private static final int LEAST_THREADS = 8;

    /** Where the load is written: a run directory must be empty when the run begins, so it cannot be there yet. */
    private static Path beside(Path out) {
        return out.resolveSibling(out.getFileName() + ".load");
    }

    /** Moves the load's directory, if there was a load, into that of the run as soon as the run has made it. */
    static RunCompanion keptIn(Path out) {
        return run -> keep(out);
    }

    /** Moves it now. */
    static void keep(Path out) {
        if (Files.isDirectory(beside(out))) {
            Io.run(
                    "the load's directory cannot be moved to " + out,
                    () -> Files.move(beside(out), out.resolve("load")));
        }
    }

    /**
     * Loads the run's records into its table, as fast as it goes, into a folder beside the run directory.
     *
     * @throws ConfigException when nothing says how many there are
     */
    static RunSpec of(RunSpec run) {
        Properties properties = new Properties();
        properties.putAll(run.properties());
        properties.remove("target");
        properties.remove("maxexecutiontime");
        properties.remove(Client.EXPORT_FILE_PROPERTY); // for the result of the run
        properties.putIfAbsent(SpecCheck.BATCH_SIZE, Integer.toString(SpecCheck.rowsOfALoad(run)));
        long first = Long.parseLong(properties.getProperty("insertstart", "0"));
        String count = properties.getProperty("insertcount", "");
        String all = properties.getProperty("recordcount");
        if (count.isEmpty() && all == null) {
            throw new ConfigException("the run cannot be loaded first: set recordcount, or use --no-load");
        }
        long records = count.isEmpty() ? Long.parseLong(all) - first : Long.parseLong(count);
        return run.toBuilder()
                .mode(RunSpec.Mode.LOAD)
                .properties(properties)
                .threads((int) Math.min(records, Math.max(LEAST_THREADS, run.threads())))
                .operations(records)
                .duration(Optional.empty())
                .rate(Optional.empty())
                .calibration(Optional.empty())
                .trimmed(Duration.ZERO, Duration.ZERO)
                .out(beside(run.out()))
                .part(ClientShare.WHOLE)
                .startAt(Optional.empty())
                .withoutExtra()
                .build();
    }
}
