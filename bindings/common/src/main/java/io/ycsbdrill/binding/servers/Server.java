package io.ycsbdrill.binding.servers;

import java.util.concurrent.atomic.AtomicReference;

/**
 * One server and its state, as all threads of the process see it. Thread-safe.
 *
 * @param <A> what the binding needs to know to connect; its text, which is shown to people, has no password
 */
public final class Server<A> {
    private final A address;
    private final AtomicReference<State> state = new AtomicReference<>(State.UP);

    /** Whether a server is worth trying. */
    enum State {
        UP,
        /** It serves reads, and takes no writes, as a standby does: its probe looks whether that has changed. */
        READ_ONLY,
        /** A connection broke, which need not be the server's fault: it is tried when no other is up. */
        SUSPECT,
        /** It did not accept a connection: only its probe tries it. */
        DOWN
    }

    Server(A address) {
        this.address = address;
    }

    /** Its address; not null. */
    public A address() {
        return address;
    }

    /** Whether nothing is known against it; it takes writes, too. */
    public boolean isUp() {
        return state.get() == State.UP;
    }

    /** Whether it serves, but takes no writes. */
    public boolean isReadOnly() {
        return state.get() == State.READ_ONLY;
    }

    /** Whether only its probe may try it. */
    boolean isDown() {
        return state.get() == State.DOWN;
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
        return address.toString();
    }
}
