package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.call.OpTimeout;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.StockResult;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.workloads.CoreWorkload;

/** Finds everything that is wrong with a specification before anything is started. */
public final class SpecCheck {
    /** Highest number of client threads. */
    public static final int MOST_THREADS = 10_000;

    /** How often a failed insert may be tried again at most. */
    public static final int MOST_INSERT_RETRIES = 1000;

    /** Rows of one request when loading; 1 and less for row by row, as stock YCSB's JDBC binding has it. */
    public static final String BATCH_SIZE = "db.batchsize";

    private static final Duration SLICE = Duration.ofMillis(100);
    private static final int LARGEST_BATCH = 10_000;
    private static final String KEYS = " (CoreWorkload keeps key numbers in 32 bits)";
    private static final Duration LONGEST_WINDOW = Duration.ofSeconds(60);

    private final RunSpec spec;
    private final List<String> problems = new ArrayList<>();

    private SpecCheck(RunSpec spec) {
        this.spec = spec;
    }

    /** @throws ConfigException with all problems found */
    static void check(RunSpec spec) {
        SpecCheck check = new SpecCheck(spec);
        check.numbers();
        check.rate();
        check.type("binding class", spec.bindingClass(), DB.class);
        check.type("workload", workloadClass(spec.properties()), Workload.class);
        check.workload();
        check.batches();
        RetryPolicy.problem(spec.properties()).ifPresent(check.problems::add);
        OpTimeout.problem(spec.properties()).ifPresent(check.problems::add);
        check.result();
        String directory = RunDirectory.problem(spec.out());
        if (directory != null) {
            check.problems.add(directory);
        }
        if (!check.problems.isEmpty()) {
            throw new ConfigException(check.problems);
        }
    }

    /** @throws ConfigException with the problems that do not depend on the binding */
    static void checkWorkload(RunSpec spec) {
        SpecCheck check = new SpecCheck(spec);
        check.workload();
        check.number(BATCH_SIZE, 1, -1, LARGEST_BATCH, "");
        check.result();
        if (!check.problems.isEmpty()) {
            throw new ConfigException(check.problems);
        }
    }

    /** Off in a load, which has retries of its own, that it accounts for record by record. */
    static RetryPolicy retry(RunSpec spec) {
        try {
            return spec.mode() == RunSpec.Mode.LOAD
                    ? new RetryPolicy(0, Duration.ZERO)
                    : RetryPolicy.of(spec.properties());
        } catch (DBException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    /** None in a load, whose failed inserts are tried again one by one. */
    static Optional<Duration> timeout(RunSpec spec) {
        try {
            return spec.mode() == RunSpec.Mode.LOAD ? Optional.empty() : OpTimeout.of(spec.properties());
        } catch (DBException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    static String workloadClass(Properties properties) {
        return properties.getProperty(Client.WORKLOAD_PROPERTY, CoreWorkload.class.getName());
    }

    /** What is wrong with the numbers of a specification, whatever its workload and binding are; empty when nothing is. */
    public static List<String> numberProblems(RunSpec spec) {
        SpecCheck check = new SpecCheck(spec);
        check.numbers();
        check.rate();
        return check.problems;
    }

    /** Whether it is a length that windows can have: a multiple of 100 ms from 0.1 s to 60 s. */
    public static boolean isWindow(Duration length) {
        return length.compareTo(SLICE) >= 0
                && length.compareTo(LONGEST_WINDOW) <= 0
                && length.toNanos() % SLICE.toNanos() == 0;
    }

    private void numbers() {
        require(spec.threads() >= 1, "threads = " + spec.threads() + ": at least 1 is needed");
        require(spec.operations() >= 0, "operations = " + spec.operations() + ": 0 (no limit) or more expected");
        require(
                spec.insertRetries() >= 0 && spec.insertRetries() <= MOST_INSERT_RETRIES,
                "insert retries = " + spec.insertRetries() + ": 0 to " + MOST_INSERT_RETRIES + " expected");
        require(
                isWindow(spec.window()),
                "window = " + spec.window() + ": a multiple of 0.1 s from 0.1 s to 60 s expected");
        require(!spec.warmup().isNegative(), "warm-up = " + spec.warmup() + ": must not be negative");
        require(!spec.cooldown().isNegative(), "cool-down = " + spec.cooldown() + ": must not be negative");
        spec.duration().ifPresent(duration -> {
            require(!duration.isNegative() && !duration.isZero(), "duration = " + duration + ": must be positive");
            require(
                    spec.warmup().plus(spec.cooldown()).compareTo(duration) < 0,
                    "--warmup " + Durations.print(spec.warmup()) + " and --cooldown " + Durations.print(spec.cooldown())
                            + " leave nothing of the duration (" + Durations.print(duration) + ")");
        });
    }

    /** How many rows of one request suit a load that measures nothing; 1 for row by row. */
    public static int rowsOfALoad(RunSpec spec) {
        // Another workload may insert several rows for a record, which do not go by batches.
        if (!workloadClass(spec.properties()).equals(CoreWorkload.class.getName())) {
            return 1;
        }
        try {
            return WorkloadSetup.binding(spec.bindingClass()) instanceof BulkInserts bulk ? bulk.rowsOfALoad() : 1;
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            return 1; // said when the load is checked
        }
    }

    private void batches() {
        long batch = number(BATCH_SIZE, 1, -1, LARGEST_BATCH, "");
        if (batch <= 1 || spec.mode() != RunSpec.Mode.LOAD) {
            return;
        }
        try {
            require(
                    BulkInserts.class.isAssignableFrom(Class.forName(spec.bindingClass())),
                    BATCH_SIZE + " = " + batch + ": the binding " + spec.bindingClass()
                            + " inserts row by row; 1 expected");
        } catch (ClassNotFoundException | LinkageError e) {
            return; // said already
        }
    }

    private void rate() {
        require(
                spec.rate().isEmpty() || spec.calibration().isEmpty(),
                "rate: a calibration sets one, so none can be given with it");
        spec.calibration().ifPresent(calibration -> {
            require(spec.mode() == RunSpec.Mode.RUN, "calibration: a load of records has none");
            spec.duration()
                    .ifPresent(duration -> require(
                            duration.toSeconds() > calibration.seconds(),
                            "the duration, " + Durations.print(duration)
                                    + ", is over before the calibration, which takes " + calibration.seconds()
                                    + "s of it"));
        });
        spec.rate().ifPresent(plan -> {
            List<RatePlan.Segment> segments = plan.segments();
            require(!segments.isEmpty(), "rate: no segment");
            require(plan.capOperations() >= 0, "rate cap = " + plan.capOperations() + ": 0 or more expected");
            double end = 0;
            for (int i = 0; i < segments.size(); i++) {
                RatePlan.Segment segment = segments.get(i);
                boolean last = i == segments.size() - 1;
                require(
                        segment.startSeconds() == end && segment.endSeconds() > end,
                        "rate: segment " + segment + " does not follow the one before it, which ends at " + end + " s");
                require(
                        segment.fromRate() >= 0
                                && segment.toRate() >= 0
                                && Double.isFinite(segment.fromRate())
                                && Double.isFinite(segment.toRate()),
                        "rate: segment " + segment + ": rates must be 0 or more operations per second");
                require(
                        last == Double.isInfinite(segment.endSeconds())
                                && (!last || segment.fromRate() == segment.toRate()),
                        "rate: only the last segment is open-ended and it must be constant, not " + segment);
                end = segment.endSeconds();
            }
        });
    }

    private void type(String what, String name, Class<?> wanted) {
        try {
            Class<?> found = Class.forName(name);
            require(
                    wanted.isAssignableFrom(found),
                    what + " = " + name + ": is not a " + wanted.getName() + " of ycsb-core");
            found.getConstructor();
        } catch (ClassNotFoundException e) {
            problems.add(what + " = " + name + ": no such class on the class path (add its jar with -cp)");
        } catch (NoSuchMethodException e) {
            problems.add(what + " = " + name + ": has no public constructor without arguments");
        } catch (LinkageError e) {
            problems.add(what + " = " + name + ": cannot be loaded: " + e);
        }
    }

    private void workload() {
        Properties properties = spec.properties();
        if (!isCore(properties)) {
            return;
        }
        String lengthsFile = properties.getProperty(
                CoreWorkload.FIELD_LENGTH_HISTOGRAM_FILE_PROPERTY,
                CoreWorkload.FIELD_LENGTH_HISTOGRAM_FILE_PROPERTY_DEFAULT);
        require(
                !"histogram".equals(properties.getProperty(CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY))
                        || Files.isReadable(Path.of(lengthsFile)),
                CoreWorkload.FIELD_LENGTH_HISTOGRAM_FILE_PROPERTY + " = " + lengthsFile
                        + ": no such file; fieldlengthdistribution = histogram needs one");
        // CoreWorkload keeps key numbers in an int and ends the JVM over some of these.
        long records = number(Client.RECORD_COUNT_PROPERTY, 0, 0, Integer.MAX_VALUE, KEYS);
        long start = number(Workload.INSERT_START_PROPERTY, 0, 0, Integer.MAX_VALUE, KEYS);
        long count = number(Workload.INSERT_COUNT_PROPERTY, -1, 0, Integer.MAX_VALUE, KEYS);
        if (workloadClass(properties).equals(CoreWorkload.class.getName())) {
            long all = records == 0 ? Integer.MAX_VALUE : records;
            require(
                    start + Math.max(0, count) <= all,
                    "insertstart = " + start + " and insertcount = " + count + " go beyond recordcount = " + records
                            + ": recordcount is the size of the whole table, at least insertstart + insertcount");
            if (spec.mode() == RunSpec.Mode.LOAD) {
                require(records > 0, "recordcount is not set; give the number of records in the table");
                require(
                        count >= 0 || start + spec.operations() <= all,
                        "insertstart = " + start + " and " + spec.operations() + " inserts go beyond recordcount = "
                                + records);
            }
        }
        boolean integrity = Boolean.parseBoolean(properties.getProperty(CoreWorkload.DATA_INTEGRITY_PROPERTY));
        String lengths = properties.getProperty(CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY, "constant");
        require(
                !integrity || lengths.equals("constant"),
                CoreWorkload.DATA_INTEGRITY_PROPERTY + " = true needs "
                        + CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY
                        + " = constant, not " + lengths);
        for (String operation : List.of("read", "update", "insert", "scan", "readmodifywrite", "delete")) {
            proportion(operation + "proportion");
        }
    }

    static boolean isCore(Properties properties) {
        try {
            return CoreWorkload.class.isAssignableFrom(Class.forName(workloadClass(properties)));
        } catch (ClassNotFoundException | LinkageError e) {
            return false; // Reported already.
        }
    }

    private void proportion(String name) {
        String value = spec.properties().getProperty(name);
        try {
            double number = value == null ? 0 : Double.parseDouble(value);
            require(number >= 0 && Double.isFinite(number), name + " = " + value + ": a number from 0 on expected");
        } catch (NumberFormatException e) {
            problems.add(name + " = " + value + ": a number from 0 on expected");
        }
    }

    private long number(String name, long absent, long least, long most, String why) {
        String value = spec.properties().getProperty(name);
        if (value == null) {
            return absent;
        }
        try {
            long number = Long.parseLong(value);
            require(
                    number >= least && number <= most,
                    name + " = " + value + ": a number from " + least + " to " + most + " expected" + why);
            return number;
        } catch (NumberFormatException e) {
            problems.add(name + " = " + value + ": a whole number expected");
            return absent;
        }
    }

    private void result() {
        try {
            StockResult.exporter(spec.properties(), OutputStream.nullOutputStream());
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        try {
            for (double percentile : StockResult.percentiles(spec.properties())) {
                require(
                        percentile >= 0 && percentile <= 100,
                        StockResult.PERCENTILES + ": " + percentile + " is not a percentile");
            }
        } catch (NumberFormatException e) {
            problems.add(StockResult.PERCENTILES + " = " + spec.properties().getProperty(StockResult.PERCENTILES)
                    + ": numbers separated by commas expected");
        }
        String interval = spec.properties().getProperty(StockResult.INTERVAL, "op");
        require(
                List.of("op", "intended", "both").contains(interval),
                StockResult.INTERVAL + " = " + interval + ": op, intended or both expected");
    }

    private void require(boolean condition, String problem) {
        if (!condition) {
            problems.add(problem);
        }
    }
}
