package io.ycsbdrill.fault;

import java.util.Optional;
import java.util.stream.Stream;

/** What a fault means for other faults of the same node. All decisions about two faults are made here, from these data. */
public interface Interplay {

    /** The name in messages. */
    String name();

    /**
     * What of its node it needs for itself while it is in force. A second fault of the same would replace it and end it unseen.
     * Empty when others may be in force beside it.
     */
    default Optional<Part> claims() {
        return Stream.of(Traits.Of.fault(this).claims()).findFirst();
    }

    /** What becomes of the node when it is injected. */
    NodeChange changes();

    /** How long it is in force when something else is done to its node. */
    default Lasts lasts() {
        return Traits.Of.fault(this).lasts();
    }

    /** Whether its node looks paused while it is in force, though it is up. */
    default boolean looksPaused() {
        return Traits.Of.fault(this).looksPaused();
    }

    /** Why it cannot be in force on a node together with the other one; empty when it can. */
    default Optional<String> conflict(Interplay other) {
        return claims().filter(part -> other.claims().filter(part::equals).isPresent())
                .map(part -> name() + " and " + other.name() + " both use the node's " + part.label()
                        + "; end one first or choose another node");
    }

    /** Whether it may end the other one, which is in force, on the same node. */
    default boolean mayEnd(Interplay inForce) {
        return inForce.lasts().mayEndBy(changes());
    }

    /** A part of a node that one fault at a time can use. */
    enum Part {
        /** Its links to other nodes and to clients. */
        LINKS("links"),
        /** Its data directory. */
        DISK("disk"),
        /** The time of day that it is told. */
        CLOCK("clock"),
        /** The memory that it may use. */
        MEMORY("memory"),
        /** Whether its process runs. */
        PROCESSOR_TIME("processor time");

        private final String label;

        Part(String label) {
            this.label = label;
        }

        /** The name in messages. */
        public String label() {
            return label;
        }
    }
}
