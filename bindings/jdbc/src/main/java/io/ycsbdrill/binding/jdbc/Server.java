package io.ycsbdrill.binding.jdbc;

import java.util.concurrent.atomic.AtomicReference;

/** One server as all threads see it: whether connections to it are worth trying. Thread-safe. */
final class Server {
    private final JdbcUrl url;
    private final AtomicReference<State> state = new AtomicReference<>(State.UP);

    /** What is known of a server. */
    enum State {
        UP,
        /** A connection broke, which need not be the server's fault: it is tried when no other is up. */
        SUSPECT,
        /** It did not take a connection: only its probe tries it. */
        DOWN
    }

    Server(JdbcUrl url) {
        this.url = url;
    }

    JdbcUrl url() {
        return url;
    }

    State state() {
        return state.get();
    }

    /** @return the state before */
    State change(State next) {
        return state.getAndSet(next);
    }

    /** @return whether it was up */
    boolean suspect() {
        return state.compareAndSet(State.UP, State.SUSPECT);
    }

    @Override
    public String toString() {
        return url.shown();
    }
}
