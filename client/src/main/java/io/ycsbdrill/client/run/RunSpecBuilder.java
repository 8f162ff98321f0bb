package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** A {@link RunSpec} in the making. For one thread. */
public final class RunSpecBuilder {
    private RunSpec.Mode mode = RunSpec.Mode.RUN;
    private String binding = "";
    private String bindingClass = "";
    private String workloadName = "workload";
    private Properties properties = new Properties();
    private int threads = 1;
    private long operations;
    private Optional<Duration> duration = Optional.empty();
    private Optional<RatePlan> rate = Optional.empty();
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
    private final Map<String, JsonNode> extra = new LinkedHashMap<>();

    public RunSpecBuilder mode(RunSpec.Mode value) {
        mode = value;
        return this;
    }

    /** The name typed, and the class it stands for. */
    public RunSpecBuilder binding(String name, String className) {
        binding = name;
        bindingClass = className;
        return this;
    }

    public RunSpecBuilder workloadName(String value) {
        workloadName = value;
        return this;
    }

    public RunSpecBuilder properties(Properties value) {
        properties = value;
        return this;
    }

    public RunSpecBuilder threads(int value) {
        threads = value;
        return this;
    }

    /** 0 = no limit by count. */
    public RunSpecBuilder operations(long value) {
        operations = value;
        return this;
    }

    public RunSpecBuilder duration(Optional<Duration> value) {
        duration = value;
        return this;
    }

    public RunSpecBuilder rate(Optional<RatePlan> value) {
        rate = value;
        return this;
    }

    public RunSpecBuilder window(Duration value) {
        window = value;
        return this;
    }

    public RunSpecBuilder trimmed(Duration warmupValue, Duration cooldownValue) {
        warmup = warmupValue;
        cooldown = cooldownValue;
        return this;
    }

    public RunSpecBuilder insertRetries(int value) {
        insertRetries = value;
        return this;
    }

    public RunSpecBuilder seed(long value) {
        seed = value;
        return this;
    }

    public RunSpecBuilder out(Path value) {
        out = value;
        return this;
    }

    public RunSpecBuilder command(List<String> value) {
        command = value;
        return this;
    }

    public RunSpecBuilder engine(JsonNode value) {
        engine = value;
        return this;
    }

    /** Which of several clients this is. */
    public RunSpecBuilder part(ClientShare value) {
        part = value;
        return this;
    }

    /** When to start, by the wall clock; empty = when all threads are ready. */
    public RunSpecBuilder startAt(Optional<Instant> value) {
        startAt = value;
        return this;
    }

    /** A further section of {@code run.json}. */
    public RunSpecBuilder extra(String name, JsonNode value) {
        extra.put(name, value);
        return this;
    }

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
                Map.copyOf(extra));
    }
}
