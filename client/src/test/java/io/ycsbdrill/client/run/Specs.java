package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Builds specifications for tests: one thread, closed loop, 100 records, 1 s windows, on {@link ScriptedDb}. */
public final class Specs {
    private final Properties properties = new Properties();
    private RunSpec.Mode mode = RunSpec.Mode.RUN;
    private int threads = 1;
    private long operations;
    private Optional<Duration> duration = Optional.empty();
    private Optional<RatePlan> rate = Optional.empty();
    private Optional<Calibration> calibration = Optional.empty();
    private Duration window = Duration.ofSeconds(1);
    private Duration warmup = Duration.ZERO;
    private Duration cooldown = Duration.ZERO;
    private int retries;
    private ClientShare part = ClientShare.WHOLE;
    private Optional<Instant> startAt = Optional.empty();
    private String bindingClass = ScriptedDb.class.getName();

    private Specs() {}

    public static Specs aRun(long operations) {
        Specs specs = new Specs();
        specs.operations = operations;
        return specs.with("recordcount", "100").with("requestdistribution", "uniform");
    }

    static Specs aLoad(int records) {
        Specs specs = aRun(0).with("recordcount", "" + records);
        specs.mode = RunSpec.Mode.LOAD;
        return specs;
    }

    Specs with(String name, String value) {
        properties.setProperty(name, value);
        return this;
    }

    /** Loads by batches, on {@link ScriptedDb.Bulk}. */
    Specs batches(int size) {
        bindingClass = ScriptedDb.Bulk.class.getName();
        return with("db.batchsize", "" + size);
    }

    Specs threads(int count) {
        threads = count;
        return this;
    }

    Specs lasting(Duration length) {
        duration = Optional.of(length);
        return this;
    }

    Specs rate(double perSecond, RatePlan.AfterStall policy) {
        rate = Optional.of(new RatePlan(
                List.of(new RatePlan.Segment(0, Double.POSITIVE_INFINITY, perSecond, perSecond)), policy, 0));
        return this;
    }

    /** A closed loop of 4 s, then this share of what it did. */
    Specs calibrated(double share) {
        calibration = Optional.of(new Calibration(share, Duration.ofSeconds(4), RatePlan.AfterStall.CATCHUP, 0));
        return this;
    }

    Specs window(Duration length) {
        window = length;
        return this;
    }

    Specs trimmed(Duration atStart, Duration atEnd) {
        warmup = atStart;
        cooldown = atEnd;
        return this;
    }

    Specs retries(int count) {
        retries = count;
        return this;
    }

    Specs part(int number, int of) {
        part = new ClientShare(number, of);
        return this;
    }

    Specs startAt(Instant start) {
        startAt = Optional.of(start);
        return this;
    }

    Specs binding(String name) {
        bindingClass = name;
        return this;
    }

    RunSpec in(Path out) {
        return RunSpec.builder()
                .mode(mode)
                .binding("scripted", bindingClass)
                .workloadName("test")
                .properties(properties)
                .threads(threads)
                .operations(operations)
                .duration(duration)
                .rate(rate)
                .calibration(calibration)
                .window(window)
                .trimmed(warmup, cooldown)
                .insertRetries(retries)
                .seed(42)
                .out(out)
                .command(List.of("run", "scripted"))
                .engine(JsonNodeFactory.instance.objectNode().put("name", "memory"))
                .part(part)
                .startAt(startAt)
                .build();
    }
}
