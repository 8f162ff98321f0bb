package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.client.ConfigException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** Keeps the directory of an experiment or a suite to the one process that runs its cells. Stateless. */
final class ExperimentLock {
    /** Its file in the directory; docs/experiments.md lists it. */
    static final String NAME = ".lock";

    /**
     * Works in a directory that no other process runs cells in meanwhile.
     *
     * @param directory made when it is not there
     * @throws ConfigException naming the process that runs it, or when the directory cannot be written
     */
    static int during(Path directory, IntSupplier work) {
        return take(directory).during(work::getAsInt);
    }

    private static ProcessLock take(Path directory) {
        try {
            return ProcessLock.take(
                    directory.resolve(NAME),
                    holder -> new ConfigException(directory + " is being run by " + holder
                            + "; wait until it has ended, or end it, then continue with --resume"));
        } catch (ClosedByInterruptException e) {
            throw new ConfigException(directory + " was not begun: the command was interrupted");
        } catch (IOException e) {
            throw ResultsFolder.unwritable(directory.toString(), e);
        }
    }
}
