package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.call.Reasons;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/**
 * The connection by which a session looks into its table. It stays open until the clients of the run have theirs: what all of them
 * share, and some engines take seconds to open, is opened once. As a companion it closes itself when they have.
 */
final class FirstConnection implements RunCompanion, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FirstConnection.class);

    private final RunSpec run;
    private Optional<TableProbe> probe = Optional.empty();
    private Optional<DBException> failure = Optional.empty();

    /** Not open yet. */
    FirstConnection(RunSpec run) {
        this.run = run;
    }

    /**
     * Opens it if it is not open. What has failed once is not tried again: some bindings wait a minute before they give up.
     *
     * @throws DBException when the database cannot be reached
     */
    synchronized TableProbe probe() throws DBException {
        if (failure.isPresent()) {
            throw failure.get();
        }
        try {
            probe = Optional.of(probe.isPresent() ? probe.get() : new TableProbe(run.bindingClass(), run.properties()));
        } catch (DBException e) {
            failure = Optional.of(e);
            throw e;
        }
        return probe.get();
    }

    /** Why there can be no run; empty when nobody has asked for the connection, too. */
    synchronized Optional<String> refusal() {
        return failure.map(e -> "the database cannot be reached: " + Reasons.of(e));
    }

    @Override
    public void started(RunControl control) {
        Daemon.thread(this::close, "first-connection-closer").start();
    }

    /** Any number of times. */
    @Override
    public synchronized void close() {
        Optional<TableProbe> open = probe;
        probe = Optional.empty();
        try {
            if (open.isPresent()) {
                open.get().close();
            }
        } catch (DBException e) {
            LOG.debug("the first connection was not closed in order", e);
        }
    }
}
