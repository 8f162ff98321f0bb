package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Everything that decides what a run does, parsed and checked; after this no property, environment variable or system
 * property is read by the loop.
 *
 * @param mode load or run
 * @param binding the name typed ({@code native}) or the class name when a class was given
 * @param bindingClass the {@code site.ycsb.DB} to make one of per thread
 * @param workloadName short name for the run directory, from the first workload file: {@code workloadb}
 * @param properties the effective YCSB properties, given to workload and binding
 * @param threads client threads, at least 1
 * @param operations how many operations of this client (run), or inserts (load); may exceed 2<sup>31</sup>; 0 = no limit by count
 * @param duration end after this long (also stock's {@code maxexecutiontime}); empty = no limit by time
 * @param rate open-loop schedule, of all clients together; empty = closed loop
 * @param window window length, a multiple of 100 ms from 0.1 s to 60 s
 * @param warmup trimmed from the start of summaries (not of the data)
 * @param cooldown trimmed from the end of summaries
 * @param insertRetries how often a failed insert of a load is tried again; each attempt is in the data
 * @param seed run seed, handed down to everything random of ours
 * @param out the run directory to make; must not exist or be empty
 * @param command the command line as typed, secrets already removed
 * @param engine what is known about the engine, for {@code run.json}: name, version, nodes
 * @param part which of several clients this is
 * @param startAt wall-clock time at which the run starts; empty = as soon as its threads are ready
 * @param extra further sections of {@code run.json} by name, for example {@code drill}
 */
public record RunSpec(
        Mode mode,
        String binding,
        String bindingClass,
        String workloadName,
        Properties properties,
        int threads,
        long operations,
        Optional<Duration> duration,
        Optional<RatePlan> rate,
        Duration window,
        Duration warmup,
        Duration cooldown,
        int insertRetries,
        long seed,
        Path out,
        List<String> command,
        JsonNode engine,
        ClientShare part,
        Optional<Instant> startAt,
        Map<String, JsonNode> extra) {

    /** What the run does with the workload. */
    public enum Mode {
        /** Inserts the workload's records. */
        LOAD,
        /** Runs its transactions. */
        RUN
    }
}
