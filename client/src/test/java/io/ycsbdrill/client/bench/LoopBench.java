package io.ycsbdrill.client.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Our loop, with slices and windows on, against {@code site.ycsb.Client} with HDR histograms: interleaved pairs of processes on a
 * binding that does nothing. Prints each pair and the medians of the ratios; exits 1 when a goal is missed.
 */
final class LoopBench {
    private static final long MEGA = 1_000_000;

    private LoopBench() {}

    private record Readings(double perSecond, double cpuNanos, double bytes) {}

    /** Arguments: pairs, operations per run. */
    public static void main(String[] args) throws Exception {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        long operations = args.length > 1 ? Long.parseLong(args[1]) : 4 * MEGA;
        System.out.printf(
                Locale.ROOT,
                "%d pairs, %d operations per run, Java %s, %d CPUs%n",
                pairs,
                operations,
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors());
        boolean reached = true;
        for (String workload : List.of("a", "c")) {
            for (int threads : new int[] {1, 4}) {
                reached &= compare(workload, threads, operations, pairs);
            }
        }
        System.exit(reached ? 0 : 1);
    }

    private static boolean compare(String workload, int threads, long operations, int pairs) throws Exception {
        double[] speed = new double[pairs];
        double[] cpu = new double[pairs];
        double[] bytes = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            // Who goes first changes, so that neither always meets the warmer machine.
            Readings first = run(i % 2 == 0 ? "ours" : "stock", workload, threads, operations);
            Readings second = run(i % 2 == 0 ? "stock" : "ours", workload, threads, operations);
            Readings ours = i % 2 == 0 ? first : second;
            Readings stock = i % 2 == 0 ? second : first;
            speed[i] = ours.perSecond / stock.perSecond;
            cpu[i] = ours.cpuNanos / stock.cpuNanos;
            bytes[i] = ours.bytes / stock.bytes;
            System.out.printf(
                    Locale.ROOT,
                    "workload %s, %d threads, pair %d: ours %.0f ops/s, %.0f ns CPU, %.1f B per op;"
                            + " stock %.0f ops/s, %.0f ns CPU, %.1f B per op%n",
                    workload,
                    threads,
                    i + 1,
                    ours.perSecond,
                    ours.cpuNanos,
                    ours.bytes,
                    stock.perSecond,
                    stock.cpuNanos,
                    stock.bytes);
        }
        System.out.printf(
                Locale.ROOT,
                "workload %s, %d threads, median ratio ours/stock: throughput %.2f, CPU per op %.2f, allocation per op %.3f%n",
                workload,
                threads,
                median(speed),
                median(cpu),
                median(bytes));
        return median(speed) >= 1 && median(bytes) <= 1;
    }

    private static Readings run(String loop, String workload, int threads, long operations)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("loop-bench", ".readings");
        Path errors = Files.createTempFile("loop-bench", ".err");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms512m",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoopRun.class.getName(),
                        loop,
                        workload,
                        "" + threads,
                        "" + operations,
                        file.toString())
                .redirectError(errors.toFile())
                .start();
        long reported = 0;
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.matches("\\[(READ|UPDATE)], Operations, \\d+")) {
                    reported += Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
                }
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException(loop + " failed with exit code " + process.exitValue() + "; see " + errors);
        }
        String[] fields = Files.readString(file).split(" ");
        Files.delete(file);
        Files.delete(errors);
        long calls = Long.parseLong(fields[0]);
        if (calls != operations || reported != operations) {
            throw new IOException(loop + " made " + calls + " calls and reported " + reported + ", not " + operations);
        }
        return new Readings(
                calls * 1e9 / Long.parseLong(fields[1]),
                Double.parseDouble(fields[2]) / calls,
                Double.parseDouble(fields[3]) / calls);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
