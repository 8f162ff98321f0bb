package io.ycsbdrill.experiment.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntSupplier;

/** A tool whose commands end at once, having written the run directory that their arguments ask for. */
class FakeTool implements Tool {
    /** Command lines up to the run directory. */
    final List<String> started = new ArrayList<>();
    /** Whole command lines. */
    final List<String> lines = new ArrayList<>();

    /** Working directories of the commands, in their order. */
    final List<Path> directories = new ArrayList<>();
    /** State directories whose clusters were taken down. */
    final List<String> takenDown = new ArrayList<>();

    final Map<String, Integer> failures = new HashMap<>();
    boolean keepsRows = true;
    boolean drill;
    double okShare = 1;
    IntSupplier throughput = () -> 100;
    double rowBytes;
    Duration length = Duration.ofSeconds(10);
    Duration measured = Duration.ofSeconds(10);
    Optional<String> clusterProblem = Optional.empty();
    Optional<String> tooSmall = Optional.empty();
    /** The most bytes of rows that a cluster holds. */
    double most = Double.MAX_VALUE;
    /** The one of all loads that fails, from 1; 0 for none. */
    int failingLoad;

    private int loads;
    Runnable beforeEach = () -> {};
    Runnable beforeClusters = () -> {};

    @Override
    public List<String> program(List<String> arguments) {
        return arguments;
    }

    @Override
    public List<String> on(String engine, List<String> arguments) {
        return arguments;
    }

    @Override
    public Optional<String> clusterProblem(String engine, Map<String, String> options) {
        return clusterProblem;
    }

    @Override
    public Optional<String> tooSmall(
            String engine, Map<String, String> options, List<String> arguments, double besides) {
        return besides + rowBytes > most ? Optional.of("too many rows") : tooSmall;
    }

    @Override
    public Inspection inspect(List<String> arguments) {
        return new Inspection(
                List.of(),
                keepsRows,
                drill,
                "table",
                List.of("load", "b"),
                OptionalDouble.of(rowBytes),
                Optional.ofNullable(length),
                Optional.of(measured));
    }

    @Override
    public Process start(
            List<String> command, Path directory, Path output, Path pidFile, Map<String, String> environment)
            throws IOException {
        beforeEach.run();
        String line = String.join(" ", command);
        lines.add(line);
        directories.add(directory);
        if (line.startsWith("cluster down")) {
            takenDown.add(environment.get("YCSB_DRILL_STATE"));
        }
        int out = command.indexOf("--out");
        started.add(out < 0 ? line : String.join(" ", command.subList(0, out)));
        Files.createDirectories(output.getParent());
        if (line.startsWith("cluster up")) {
            beforeClusters.run();
            Files.createDirectories(Path.of(environment.get("YCSB_DRILL_STATE")));
        }
        if (line.startsWith("load")) {
            loads++;
        }
        int exitCode = line.startsWith("load") && loads == failingLoad
                ? 1
                : failures.entrySet().stream()
                        .filter(failure -> line.contains(failure.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(0);
        Files.writeString(output, exitCode == 0 ? "fine\n" : "starting\nerror: it broke\nsee the log\n");
        if (out >= 0 && (exitCode == 0 || exitCode == 3)) {
            runDirectory(Path.of(command.get(out + 1)));
        }
        return new Ended(exitCode);
    }

    private void runDirectory(Path run) throws IOException {
        Files.createDirectories(run);
        Files.writeString(
                run.resolve("run.json"),
                "{\"schema\":1,\"state\":\"complete\",\"threads\":4" + (drill ? ",\"drill\":{}}" : "}"));
        long ok = Math.round(1000 * okShare);
        Files.writeString(run.resolve("summary.json"), """
                {"trimmed":{"startSeconds":5.0,"endSeconds":15.0},"throughputOpsPerSecond":%d.0,"operations":{"READ":{"ok":%d,"failed":%d,"unknown":0,
                "throughputOpsPerSecond":100.0,"service":{"meanMicros":1000.0,"p99Micros":2000.0},"response":null}}}
                """.formatted(throughput.getAsInt(), ok, 1000 - ok));
    }

    @Override
    public boolean endLeftover(Path pidFile) {
        return false;
    }

    /** A process that has ended. */
    private static final class Ended extends Process {
        private final int exitCode;

        Ended(int exitCode) {
            this.exitCode = exitCode;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return exitCode;
        }

        @Override
        public int exitValue() {
            return exitCode;
        }

        @Override
        public void destroy() {
            throw new AssertionError("it has ended");
        }
    }
}
