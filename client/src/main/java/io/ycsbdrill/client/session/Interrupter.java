package io.ycsbdrill.client.session;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Executes each interruptible step of a session, for an owner who may want to end it early. */
public interface Interrupter {
    /** Never interrupts. */
    Interrupter NONE = new Interrupter() {
        @Override
        public <T> T during(Consumer<String> interrupt, Supplier<T> work) {
            return work.get();
        }
    };

    /**
     * Does the work on the calling thread.
     *
     * @param interrupt ends the work early, with a reason, from any thread and at any time
     */
    <T> T during(Consumer<String> interrupt, Supplier<T> work);
}
