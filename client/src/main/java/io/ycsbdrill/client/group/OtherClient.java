package io.ycsbdrill.client.group;

/** A client of a run that is not the first one. Thread-safe. */
interface OtherClient {

    /** As in messages: {@code client 2 of 3}. */
    String name();

    /** Sends an order to the client; one that has ended gets nothing, and its listener learns of its end anyway. */
    void order(String line);

    /** Whether the others go on when it is lost during the run. */
    default boolean mayBeLost() {
        return false;
    }

    /** Ends it at once, if it has not ended. */
    void kill();

    /** Notified of what becomes of the client, by a thread of its own. */
    interface Listener {
        /** Its threads are initialised. */
        void ready(OtherClient client);

        /** Its run is over and its directory closed. */
        void over(OtherClient client, String state);

        /** The process has ended; nothing follows. */
        void exited(OtherClient client, int exitCode);
    }
}
