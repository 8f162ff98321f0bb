package io.ycsbdrill.fault.node;

import java.util.OptionalLong;

/**
 * State of one node at the time of the question.
 *
 * @param id the node's id
 * @param state normalised state
 * @param detail the engine's own words, never null, empty when it has none
 * @param pid process id of the node's working process on this machine; empty when it is not running or not here; of a node that is
 *     down, one of its processes that goes on without the others
 */
public record NodeStatus(String id, State state, String detail, OptionalLong pid) {

    /** Whether it is in this state as a whole: of a node that is down, a server may go on without its supervisor. */
    public boolean wholly(State wanted) {
        return state == wanted && (state != State.DOWN || pid.isEmpty());
    }

    /** Normalised node states. */
    public enum State {
        /** No process, or no contact to it. */
        DOWN,
        /** Recovering or synchronising; not yet recovered. */
        STARTING,
        /** Recovered: serves requests and holds all of its data. */
        STARTED,
        /** Shutting down in an orderly way. */
        STOPPING,
        /** Paused by a signal; the engine may not know yet. */
        PAUSED,
        /** Has left the cluster for good, though its process is there: it has to be ended and started again. */
        EXPELLED,
        /** The engine did not answer. */
        UNKNOWN;

        /** Whether the node comes back only when it is started. */
        public boolean needsStart() {
            return this == DOWN || this == EXPELLED;
        }
    }
}
