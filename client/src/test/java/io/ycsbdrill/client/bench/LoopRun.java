package io.ycsbdrill.client.bench;

import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import site.ycsb.Client;

/** One run of one loop on {@link NoOpDb}, in a process of its own: {@code ours|stock a|c threads operations file}. */
final class LoopRun {
    private LoopRun() {}

    /** Prints the loop's own result and leaves {@link NoOpDb#readings} in the file. */
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("workload", "site.ycsb.workloads.CoreWorkload");
        properties.setProperty("measurementtype", "hdrhistogram");
        properties.setProperty("recordcount", "100000");
        properties.setProperty("operationcount", args[3]);
        properties.setProperty("requestdistribution", "zipfian");
        properties.setProperty("readproportion", args[1].equals("a") ? "0.5" : "1");
        properties.setProperty("updateproportion", args[1].equals("a") ? "0.5" : "0");
        Path readings = Path.of(args[4]);
        // Stock closes standard output and ends with System.exit; a hook writes the readings down in both cases.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(readings)));
        if (args[0].equals("stock")) {
            stock(properties, args[2]);
        } else {
            ours(properties, Integer.parseInt(args[2]), Long.parseLong(args[3]));
        }
    }

    private static void write(Path readings) {
        try {
            Files.writeString(readings, NoOpDb.readings());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stock(Properties properties, String threads) {
        String[] arguments = new String[4 + 2 * properties.size() + 1];
        int i = 0;
        arguments[i++] = "-t";
        for (String name : properties.stringPropertyNames()) {
            arguments[i++] = "-p";
            arguments[i++] = name + "=" + properties.getProperty(name);
        }
        arguments[i++] = "-db";
        arguments[i++] = NoOpDb.class.getName();
        arguments[i++] = "-threads";
        arguments[i] = threads;
        Client.main(arguments);
    }

    private static void ours(Properties properties, int threads, long operations) throws Exception {
        Path out = Files.createTempDirectory("loop-bench");
        RunSpec spec = RunSpec.builder()
                .binding("no-op", NoOpDb.class.getName())
                .workloadName("bench")
                .properties(properties)
                .threads(threads)
                .operations(operations)
                .seed(1)
                .out(out)
                .build();
        BenchmarkRun run = new BenchmarkRun(spec, List.of());
        if (run.execute().state() != RunResult.State.COMPLETE) {
            throw new IllegalStateException("the run is not complete: " + out);
        }
        System.out.print(run.text());
        try (var files = Files.list(out)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(out);
    }
}
