package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
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
 * @param calibration of this client, which sets a rate of its own; empty = none. Not together with {@code rate}
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
 * @param auditRun the number that marks the values of all clients of this run ({@code --audit}); 0 = writes are not recorded
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
        Optional<Calibration> calibration,
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
        long auditRun,
        Map<String, JsonNode> extra) {

    public RunSpec {
        // Here, as every process of a run has one, also those on other hosts.
        properties.stringPropertyNames().forEach(name -> Secrets.know(name, properties.getProperty(name)));
    }

    /** What the run does with the workload. */
    public enum Mode {
        /** Inserts the workload's records. */
        LOAD,
        /** Runs its transactions. */
        RUN
    }

    /** A specification in which nothing but the defaults is set. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this specification; its properties are copied. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a {@link RunSpec}. For one thread. */
    public static final class Builder {
        private Mode mode = Mode.RUN;
        private String binding = "";
        private String bindingClass = "";
        private String workloadName = "workload";
        private Properties properties = new Properties();
        private int threads = 1;
        private long operations;
        private Optional<Duration> duration = Optional.empty();
        private Optional<RatePlan> rate = Optional.empty();
        private Optional<Calibration> calibration = Optional.empty();
        private Duration window = Duration.ofSeconds(10);
        private Duration warmup = Duration.ZERO;
        private Duration cooldown = Duration.ZERO;
        private int insertRetries;
        private long seed;
        private Path out = Path.of("results");
        private List<String> command = List.of();
        private JsonNode engine = JsonNodeFactory.instance.objectNode();
        private ClientShare part = ClientShare.WHOLE;
        private Optional<Instant> startAt = Optional.empty();
        private long auditRun;
        private final Map<String, JsonNode> extra = new LinkedHashMap<>();

        private Builder() {}

        private Builder(RunSpec from) {
            mode = from.mode;
            binding = from.binding;
            bindingClass = from.bindingClass;
            workloadName = from.workloadName;
            properties.putAll(from.properties);
            threads = from.threads;
            operations = from.operations;
            duration = from.duration;
            rate = from.rate;
            calibration = from.calibration;
            window = from.window;
            warmup = from.warmup;
            cooldown = from.cooldown;
            insertRetries = from.insertRetries;
            seed = from.seed;
            out = from.out;
            command = from.command;
            engine = from.engine;
            part = from.part;
            startAt = from.startAt;
            auditRun = from.auditRun;
            extra.putAll(from.extra);
        }

        public Builder mode(Mode value) {
            mode = value;
            return this;
        }

        /** The name typed, and the class it stands for. */
        public Builder binding(String name, String className) {
            binding = name;
            bindingClass = className;
            return this;
        }

        public Builder workloadName(String value) {
            workloadName = value;
            return this;
        }

        public Builder properties(Properties value) {
            properties = value;
            return this;
        }

        public Builder threads(int value) {
            threads = value;
            return this;
        }

        /** 0 = no limit by count. */
        public Builder operations(long value) {
            operations = value;
            return this;
        }

        public Builder duration(Optional<Duration> value) {
            duration = value;
            return this;
        }

        public Builder rate(Optional<RatePlan> value) {
            rate = value;
            return this;
        }

        public Builder calibration(Optional<Calibration> value) {
            calibration = value;
            return this;
        }

        public Builder window(Duration value) {
            window = value;
            return this;
        }

        public Builder trimmed(Duration warmupValue, Duration cooldownValue) {
            warmup = warmupValue;
            cooldown = cooldownValue;
            return this;
        }

        public Builder insertRetries(int value) {
            insertRetries = value;
            return this;
        }

        public Builder seed(long value) {
            seed = value;
            return this;
        }

        public Builder out(Path value) {
            out = value;
            return this;
        }

        public Builder command(List<String> value) {
            command = value;
            return this;
        }

        public Builder engine(JsonNode value) {
            engine = value;
            return this;
        }

        /** Which of several clients this is. */
        public Builder part(ClientShare value) {
            part = value;
            return this;
        }

        /** When to start, by the wall clock; empty = when all threads are ready. */
        public Builder startAt(Optional<Instant> value) {
            startAt = value;
            return this;
        }

        public Builder auditRun(long value) {
            auditRun = value;
            return this;
        }

        /** Adds a further section of {@code run.json}. */
        public Builder extra(String name, JsonNode value) {
            extra.put(name, value);
            return this;
        }

        /** Removes all further sections of {@code run.json}. */
        public Builder withoutExtra() {
            extra.clear();
            return this;
        }

        /** Those set so far; changes to them are changes to the specification. */
        public Properties properties() {
            return properties;
        }

        public ClientShare part() {
            return part;
        }

        public int threads() {
            return threads;
        }

        public Path out() {
            return out;
        }

        /** The specification as it stands; the properties are copied. */
        public RunSpec build() {
            Properties copy = new Properties();
            copy.putAll(properties);
            return new RunSpec(
                    mode,
                    binding,
                    bindingClass,
                    workloadName,
                    copy,
                    threads,
                    operations,
                    duration,
                    rate,
                    calibration,
                    window,
                    warmup,
                    cooldown,
                    insertRetries,
                    seed,
                    out,
                    command,
                    engine,
                    part,
                    startAt,
                    auditRun,
                    Map.copyOf(extra));
        }
    }
}
