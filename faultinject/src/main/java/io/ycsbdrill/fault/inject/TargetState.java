package io.ycsbdrill.fault.inject;

import java.util.concurrent.CompletableFuture;

/**
 * How far one injection into one node is; times are since run start.
 *
 * <pre>
 * Injecting --+--> Holding --> Ending --+--> AwaitingNews --> Settling --> Over
 *             |                         |    (commands only)
 *             +-------------------------+
 * </pre>
 *
 * From each of them but the last it may go to Failed.
 */
sealed interface TargetState {

    /** A call to the controller is under way. */
    sealed interface Calling extends TargetState {
        long requestedAt();

        /** The moment at which it was done. */
        CompletableFuture<Long> call();
    }

    record Injecting(long requestedAt, CompletableFuture<Long> call) implements Calling {}

    /** The fault lasts for its {@link io.ycsbdrill.fault.Course.Hold}. */
    record Holding(long injectedAt) implements TargetState {}

    record Ending(long requestedAt, CompletableFuture<Long> call) implements Calling {}

    /** A command has done what it does to its node, and the engine has yet to say that the node is down. */
    record AwaitingNews(long confirmedAt) implements TargetState {}

    /**
     * Nothing is left to do but to await the phase at which the fault settles.
     *
     * @param confirmedAt when the last call was done; when a command's node went down, if that was later
     */
    record Settling(long confirmedAt) implements TargetState {}

    record Over(long at) implements TargetState {}

    record Failed(String reason) implements TargetState {}
}
