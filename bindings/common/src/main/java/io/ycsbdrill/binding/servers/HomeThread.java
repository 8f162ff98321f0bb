package io.ycsbdrill.binding.servers;

import io.ycsbdrill.binding.Reconnects;
import java.util.List;
import java.util.OptionalInt;
import site.ycsb.DBException;

/**
 * One thread's access to the servers, as far as it is the same for every binding: its connection. Owned by one thread.
 *
 * @param <A> a server's address
 * @param <L> a connection; closing it does not throw
 */
public abstract class HomeThread<A, L extends AutoCloseable> implements Shared.Part {
    /** The connection. */
    protected final HomeLink<A, L> home;

    /**
     * @param number as in {@link io.ycsbdrill.binding.OwnServer#thread}; empty when the binding was not told
     * @param opener opens a connection
     */
    protected HomeThread(Servers<A> servers, OptionalInt number, HomeLink.Opener<A, L> opener) {
        home = new HomeLink<>(servers, number, opener);
    }

    /**
     * Opens the first connection.
     *
     * @throws DBException with each server's reason when none takes it
     */
    @Override
    public void open() throws DBException {
        home.open();
    }

    /** The lost connections so far. */
    public List<Reconnects.Server> reconnects() {
        return home.reconnects();
    }

    @Override
    public void close() {
        home.close();
    }
}
