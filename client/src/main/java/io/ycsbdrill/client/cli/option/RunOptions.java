package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.live.LiveAddress;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.SpecCheck;
import io.ycsbdrill.client.run.call.OpTimeout;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.session.PropertyReader;
import io.ycsbdrill.client.session.WorkloadCheck;
import io.ycsbdrill.client.session.WorkloadRecords;
import io.ycsbdrill.fault.schedule.OfferedLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Stack;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How to run: pace, length, windows, where to write. Shared by load, run and drill; a picocli mixin. */
public final class RunOptions {
    @Option(names = "-s", description = "Status lines on standard error (always on; accepted for stock scripts).")
    private boolean status;

    @Option(
            names = "-threads",
            paramLabel = "N",
            description = "Client threads (default: property threadcount, else 1).")
    private String threads;

    @Option(names = "-l", paramLabel = "LABEL", description = "Label in front of each status line.")
    private String label;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "End after this long; operationcount is then used only when given by -p.")
    private String duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "0s",
            description =
                    "Time to leave out at the start of summaries; the data stay complete (default: ${DEFAULT-VALUE}).")
    private String warmup;

    @Option(
            names = "--cooldown",
            paramLabel = "TIME",
            defaultValue = "0s",
            description =
                    "Time to leave out at the end of summaries; the data stay complete (default: ${DEFAULT-VALUE}).")
    private String cooldown;

    @Option(
            names = "--window",
            paramLabel = "TIME",
            description = "Length of a window, 100ms to 60s in steps of 100ms (default: 10s, in a drill 1s).")
    private String window;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The run directory, new or empty (default: results/TIME-BINDING-WORKLOAD).")
    private Path out;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed for all random choices made by ycsb-drill (default: random, recorded).")
    private String seed;

    @Option(
            names = "--insert-retries",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How often a failed insert of a load is tried again, each attempt recorded (default: ${DEFAULT-VALUE}).")
    private String insertRetries;

    @Mixin
    private PaceOptions pace;

    @Mixin
    private ClientOptions clients;

    @Option(
            names = "--live",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            parameterConsumer = LiveOption.class,
            description =
                    "Serve a page that shows the run while it is in progress, and /metrics for Prometheus; on loopback, and on a"
                            + " free port when none is given. See docs/live.md.")
    private LiveAddress live;

    /** Which of several clients this is, or how many there are to be. */
    public ClientOptions clients() {
        return clients;
    }

    /** Where to serve the live page; empty when it is not asked for. */
    public Optional<LiveAddress> live() {
        return Optional.ofNullable(live);
    }

    @Option(
            names = "--audit",
            description =
                    "Record every write, read every written key back at the end, and report what was lost; see docs/audit.md.")
    private boolean audit;

    @Option(
            names = "--no-charts",
            description =
                    "Do not draw charts/ of the run directory; report.html is made (charts later: ycsb report DIR).")
    private boolean noCharts;

    @Mixin
    private JsonOption json;

    /** Whether the result is printed as JSON. */
    public boolean json() {
        return json.given();
    }

    /** Whether pictures are drawn beside the report. */
    public boolean charts() {
        return !noCharts;
    }

    /** As if {@code --audit} were given. */
    public RunOptions audited() {
        audit = true;
        return this;
    }

    /** Whether every write is to be accounted for. */
    public boolean audit() {
        return audit;
    }

    /** What the user has said about the load, as typed; empty when nothing. */
    public Optional<String> givenLoad(Properties properties) {
        return pace.given(properties);
    }

    /** The seed as typed; empty when none was. */
    public Optional<String> seed() {
        return Optional.ofNullable(seed);
    }

    /** The run directory asked for. */
    public Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    /**
     * A builder with everything but the binding's class, engine and run directory. Puts the stock options into the
     * properties, as stock does.
     *
     * @param properties of files and {@code -p}; changed
     * @param assigned only those of {@code -p}
     * @param endsItself whether the run needs no limit by count or time
     * @param drill the load of the drill file; empty without a drill
     * @param problems notified of everything that is wrong
     */
    public RunSpec.Builder builder(
            Mode mode,
            Properties properties,
            Map<String, String> assigned,
            boolean endsItself,
            Optional<OfferedLoad> drill,
            Problems problems) {
        set(properties, "threadcount", threads);
        pace.set(properties);
        set(properties, "label", label);
        ClientShare part = clients.part(mode, properties, problems);
        WorkloadRecords.complete(properties, problems);
        new WorkloadCheck(properties, problems).check(mode);
        PropertyReader read = new PropertyReader(properties, problems);
        Optional<Duration> end = end(read, problems);
        if (drill.isPresent() && window == null) {
            properties.putIfAbsent("status.interval", "10");
        }
        read.whole("status.interval", 10, 1, 86_400);
        RetryPolicy.problem(properties).ifPresent(problems::add);
        OpTimeout.problem(properties).ifPresent(problems::add);

        Duration trimStart = time("--warmup", warmup, d -> true, "", problems);
        Duration trimEnd = time("--cooldown", cooldown, d -> true, "", problems);
        RunSpec.Builder spec = RunSpec.builder()
                .mode(mode)
                .properties(properties)
                .threads((int) read.whole("threadcount", 1, 1, SpecCheck.MOST_THREADS))
                .operations(operations(mode, read, assigned, end, endsItself, problems))
                .duration(end.filter(length -> !length.isZero()))
                .part(part)
                .startAt(clients.start(problems))
                .window(window(drill.isPresent(), problems))
                .trimmed(trimStart, trimEnd)
                .insertRetries((int) PropertyReader.option(
                        "--insert-retries", insertRetries, 0, 0, SpecCheck.MOST_INSERT_RETRIES, problems))
                .seed(PropertyReader.option(
                        "--seed",
                        seed,
                        ThreadLocalRandom.current().nextLong(1L << 53),
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        problems));
        pace.set(spec, read, drill, problems);
        SpecCheck.numberProblems(spec.build()).forEach(problems::add);
        return spec;
    }

    private static void set(Properties properties, String key, String value) {
        if (value != null) {
            properties.setProperty(key, value);
        }
    }

    private long operations(
            Mode mode,
            PropertyReader read,
            Map<String, String> assigned,
            Optional<Duration> end,
            boolean endsItself,
            Problems problems) {
        long records = read.whole("recordcount", 0, 0, Long.MAX_VALUE);
        long start = read.whole("insertstart", 0, 0, Long.MAX_VALUE);
        if (mode == Mode.LOAD) {
            return read.whole("insertcount", Math.max(0, records - start), 0, Long.MAX_VALUE);
        }
        long operations = read.whole("operationcount", 0, 0, Long.MAX_VALUE);
        if (operations == 0 && end.isEmpty() && !endsItself && !read.refused("operationcount")) {
            problems.missing(
                    "operationcount is not set, so the run would not end; give -p operationcount=N or --duration 60s");
        }
        return duration != null && !assigned.containsKey("operationcount") ? 0 : operations;
    }

    private Optional<Duration> end(PropertyReader read, Problems problems) {
        long seconds = read.whole("maxexecutiontime", 0, 0, Integer.MAX_VALUE);
        if (duration != null) {
            return Optional.of(time("--duration", duration, d -> !d.isZero(), "longer than 0", problems));
        }
        return seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    /** A drill's latencies are judged window by window, so its windows are short. */
    private Duration window(boolean drill, Problems problems) {
        String given = window != null ? window : drill ? "1s" : "10s";
        Duration length =
                time("--window", given, SpecCheck::isWindow, "a multiple of 100ms from 100ms to 60s", problems);
        return SpecCheck.isWindow(length) ? length : Duration.ofSeconds(10);
    }

    private static Duration time(
            String option, String text, Predicate<Duration> good, String expected, Problems problems) {
        try {
            Duration parsed = Durations.parse(text);
            if (!good.test(parsed)) {
                problems.add(option + " " + text + " is not " + expected);
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            problems.add(option + ": " + e.getMessage());
            return Duration.ZERO;
        }
    }

    /** {@code --live [[HOST:]PORT]}: takes the next argument only when it looks like an address, as it may be the binding's name. */
    private static final class LiveOption implements IParameterConsumer {

        @Override
        public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
            LiveAddress address = LiveAddress.ANY;
            if (!arguments.isEmpty() && arguments.peek().matches("\\d+|.*:.*")) {
                String typed = arguments.pop();
                address = LiveAddress.parse(typed)
                        .orElseThrow(() -> new ParameterException(
                                command.commandLine(),
                                "--live " + typed + " is not [HOST:]PORT with a port from 0 (any free one) to 65535"));
            }
            option.setValue(address);
        }
    }
}
