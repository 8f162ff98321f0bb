package io.ycsbdrill.client.run;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Operations that a companion (a drill, the live status) may perform on a run. Thread-safe. */
public interface RunControl {

    /** The run's clock; all times of the run are on it. */
    RunClock clock();

    /** Ends the run normally, as if its operations were used up. */
    void end();

    /** Ends the run and marks it {@code incomplete}, with the reason. */
    void abort(String reason);

    /** Marks the run {@code invalid}, with the reason, and lets it continue: its data are kept, its figures are invalid. */
    void invalidate(String reason);

    /**
     * Adds a line to {@code markers.jsonl} and to the {@code markers} column of the window it falls into.
     *
     * @param sinceStartNanos time of the event itself
     * @param kind see docs/run-directory.md
     * @param label short, for charts and the {@code markers} column; no comma, no line break
     * @param fields further fields of the line, in order
     */
    void marker(long sinceStartNanos, String kind, String label, Map<String, String> fields);

    /** From this moment on windows belong to this phase (label of {@code io.ycsbdrill.base.Phase}); for the {@code phase} column. */
    void phase(long sinceStartNanos, String label);

    /** Successful operations of each of the newest complete 100 ms slices, oldest first, at most {@code length} of them. */
    List<Long> recentSlices(Duration length);

    /**
     * The newest complete seconds, oldest first, at most {@code length} of them, and none of a calibration: of the load that is judged, that of all
     * clients where somebody {@linkplain #judgedBy knows} it.
     */
    List<ServedSecond> judgedSeconds(Duration length);

    /** The same of this client alone. */
    List<ServedSecond> ownSeconds(Duration length);

    /** From now on {@link #judgedSeconds} are these: of all clients together. */
    void judgedBy(Function<Duration, List<ServedSecond>> all);

    /**
     * What the client threads have reported about lost connections, by server; empty when nothing was lost or the binding does not report it. Asks
     * them to report again after their next operation, so that the answer is as old as the question before, and older for a thread
     * that hangs.
     */
    List<Reconnects.Server> reconnects();

    /** A further file of the run directory, written atomically when the run ends, for example {@code phases.csv}. */
    void file(String name, String content);
}
