package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.binding.rest.RestSettings;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;

/** A connection of several threads. Thread-safe. */
abstract class SharedLink {
    private final RestSettings settings;
    private volatile long lastNanos = System.nanoTime();

    SharedLink(RestSettings settings) {
        this.settings = settings;
    }

    /** Sends a request and waits for the whole reply, or its failure. */
    abstract Reply send(Request request) throws LinkFailure;

    /** Whether the connection is there and takes requests. */
    abstract boolean isOpen();

    abstract String protocol();

    /** Takes no more requests; those who wait fail when their replies cannot come any more. */
    abstract void close();

    /** One thread's use of it. */
    final Link place() {
        return new Link() {
            @Override
            public Reply send(Request request) throws LinkFailure {
                used();
                return SharedLink.this.send(request);
            }

            @Override
            public boolean usable() {
                return SharedLink.this.usable();
            }

            @Override
            public String protocol() {
                return SharedLink.this.protocol();
            }

            @Override
            public void close() {
                // The others go on.
            }
        };
    }

    final boolean usable() {
        return isOpen()
                && System.nanoTime() - lastNanos < settings.idleTimeout().toNanos();
    }

    /** Something was sent, or came. */
    final void used() {
        lastNanos = System.nanoTime();
    }

    final long end(Waiting waiting) {
        return waiting.startNanos() + settings.timeout().toNanos();
    }

    /** Why a thread waits no longer: the time is over, or it was interrupted. */
    final Kind givenUp() {
        return Thread.currentThread().isInterrupted() ? Kind.BROKEN : Kind.TIMED_OUT;
    }

    /** The same in words. */
    final String reason(Kind givenUp) {
        return givenUp == Kind.BROKEN
                ? "interrupted"
                : "no reply within " + settings.timeout().toMillis() + " ms";
    }
}
