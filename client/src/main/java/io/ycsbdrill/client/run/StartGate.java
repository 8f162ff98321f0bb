package io.ycsbdrill.client.run;

import java.time.Instant;
import java.util.Optional;

/** Where the clients of one run agree on when to start. Asked by the thread that executes the run, which it must not block. */
public interface StartGate {

    /** All threads of this client are ready. */
    void ready();

    /** The start they have agreed on; empty as long as one is not ready. Asked again and again, until the run is ended. */
    Optional<Instant> agreed();
}
