package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.JavaProgram;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A child process with its output in files; killed when closed, if it still runs. */
final class Child implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 240;

    /** Bits of the mask of signals in /proc. */
    private static final long HUP = 1;

    private static final long INT = 2;

    private final Process process;
    private final Path out;
    private final Path err;

    Child(Path directory, Map<String, String> environment, Collection<String> command) throws IOException {
        Files.createDirectories(directory);
        out = Files.createTempFile(directory, "out", ".txt");
        err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(listening(command))
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("YCSB_JVM_ARGS");
        builder.environment().remove("NDB_HOME");
        builder.environment().putAll(environment);
        builder.environment().put(Orphans.VARIABLE, Orphans.text(directory));
        Orphans.guard(directory);
        process = builder.start();
    }

    /** The command line of this program itself, in a JVM of its own, with what nodes of the embedded cluster need of it. */
    static List<String> ycsb(String... arguments) {
        List<String> opened = Stream.of("java.nio", "java.util", "sun.nio.ch", "java.io")
                .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                .toList();
        return JavaProgram.command(opened, Main.class, arguments);
    }

    /** A build that was started with nohup, or in the background of a script, hands down that SIGHUP or SIGINT are ignored. */
    private static List<String> listening(Collection<String> command) throws IOException {
        Path status = Path.of("/proc/self/status");
        List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
        long ignored = lines.stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseLong(line.substring(7).strip(), 16))
                .findFirst()
                .orElse(0);
        List<String> all = new ArrayList<>();
        if ((ignored & (HUP | INT)) != 0) {
            all.addAll(List.of("env", "--default-signal=HUP,INT"));
        }
        all.addAll(command);
        return all;
    }

    void signal(String name) throws IOException, InterruptedException {
        signal(name, process.pid());
    }

    /** To the processes that it has started, not to itself. */
    void signalChildren(String name) throws IOException, InterruptedException {
        for (ProcessHandle child : process.children().toList()) {
            signal(name, child.pid());
        }
    }

    /** The processes that it has started and that have not ended. */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }

    boolean over() {
        return !process.isAlive();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + PATIENCE_SECONDS + " s; it said:\n" + err());
        }
        return process.exitValue();
    }

    void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("it never came to that; it said:\n" + err());
            }
            Thread.sleep(50);
        }
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly); // such as what runs under a terminal
        process.destroyForcibly().onExit().join();
    }
}
