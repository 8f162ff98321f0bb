package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.file.Format;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches the client threads while they get ready and while they work, and ends a load that can come to no end.
 *
 * @param threads of the moment: one that hangs may be replaced by an heir
 */
record Supervision(RunSpec spec, RunBounds bounds, RunState state, Operations operations, List<ClientThread> threads) {

    /** Waits until all are ready; aborts the run when that cannot be. */
    void untilInitialised() throws InterruptedException {
        state.await(
                () -> state.isStopped()
                        || threads.stream().anyMatch(thread -> thread.failure().isPresent())
                        || threads.stream().allMatch(thread -> thread.stage() != ClientThread.Stage.INITIALISING),
                bounds.initialisation().toNanos());
        Map<String, List<String>> failed = new LinkedHashMap<>();
        for (ClientThread thread : threads) {
            thread.failure()
                    .ifPresent(failure -> failed.computeIfAbsent(Reasons.of(failure), reason -> new ArrayList<>())
                            .add(thread.getName()));
        }
        // A wrong password is one problem, however many threads have it.
        failed.forEach((reason, names) -> state.abort(names.get(0)
                + (names.size() == 1 ? "" : " and " + (names.size() - 1) + " more") + " could not be initialised: "
                + reason));
        for (ClientThread thread : threads) {
            // The others are still busy, not hung, when the wait ended because one of them has failed.
            if (!state.isStopped() && thread.stage() == ClientThread.Stage.INITIALISING) {
                state.abort(thread.getName() + ": init of " + spec.bindingClass() + " has not returned for "
                        + Format.seconds(bounds.initialisation().toNanos()) + " s");
            }
        }
    }

    /** Waits for the end of the load: all threads done, the time up, a stop, a call that hangs, or no way to connect again. */
    void untilTheEnd() throws InterruptedException {
        long duration = spec.duration().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        while (!state.isStopped() && !haveWorked()) {
            long left = duration - state.clock().now();
            if (left <= 0) {
                state.stop();
            } else {
                state.await(() -> state.isStopped() || haveWorked(), Math.min(left, 1_000_000_000L));
                threads.forEach(this::checkHung);
                checkConnecting();
            }
        }
    }

    /** A run that ends with its operations only would never end when none of its threads can connect again. */
    private void checkConnecting() {
        if (spec.operations() == 0 || spec.duration().isPresent()) {
            return;
        }
        long bound = bounds.call().toNanos();
        List<ClientThread> left =
                threads.stream().filter(thread -> !thread.hasWorked()).toList();
        if (!left.isEmpty() && left.stream().allMatch(thread -> thread.connectingNanos() > bound)) {
            state.abort(left.get(0).getName() + ": no new connection for " + Format.seconds(bound)
                    + " s after its call was abandoned");
        }
    }

    private void checkHung(ClientThread thread) {
        thread.inFlight()
                .filter(call -> call.nanos() > bounds.call().toNanos())
                .ifPresent(call -> state.abort(hung(thread, call) + "; a call may take "
                        + Format.seconds(bounds.call().toNanos()) + " s"));
    }

    /** What it says of a call that has not returned. */
    String hung(ClientThread thread, ThreadRecorder.InFlight call) {
        return Formatted.of(
                "%s: %s has not returned for %.1f s",
                thread.getName(), operations.name(call.operation()), call.nanos() / 1e9);
    }

    private boolean haveWorked() {
        return threads.stream().allMatch(ClientThread::hasWorked);
    }
}
