package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the client itself could run, from {@code client.csv}: for each slice how long a thread that only naps overslept, and what the
 * process and its machine did. Lines that cannot be read are left out: nothing is measured on them.
 *
 * @param client its number; empty when there was one only
 * @param sliceSeconds length of a slice
 * @param slices in order of time
 */
public record ClientSeries(String client, double sliceSeconds, List<Slice> slices) {
    /** So much of a slice is a stall; less is what a busy machine does to a thread now and then. */
    public static final double LEAST_STALL_SECONDS = 0.05;

    /**
     * One slice.
     *
     * @param startSeconds since run start
     * @param stallSeconds of its longest stall, the part that lies in this slice
     * @param gcSeconds garbage collection noticed at its end
     * @param clientCpus processors that the client kept busy
     * @param idle share of the machine's processor time; NaN when unknown
     * @param steal share that the hypervisor gave to others; NaN when unknown
     */
    public record Slice(
            double startSeconds, double stallSeconds, double gcSeconds, double clientCpus, double idle, double steal) {
        /** Whether it is long enough to be one. */
        boolean stalled() {
            return stallSeconds >= LEAST_STALL_SECONDS;
        }
    }

    public ClientSeries {
        slices = List.copyOf(slices);
    }

    /** Reads each client of a run; empty when it has none, as an older one. */
    static List<ClientSeries> read(Path directory, double sliceSeconds, List<Problem> problems) {
        Path path = directory.resolve(RunTable.CLIENT.file());
        if (!Files.isRegularFile(path)) {
            return List.of();
        }
        TextFile file = TextFile.read(path);
        Map<String, List<Slice>> clients = new LinkedHashMap<>();
        new CsvFile(file, problems, RunTable.CLIENT.required())
                .forEach(row -> clients.computeIfAbsent(row.text("client"), none -> new ArrayList<>())
                        .add(new Slice(
                                row.required("start_s"),
                                row.required("stall_ms") / 1000,
                                row.required("gc_ms") / 1000,
                                row.orNaN("client_cpus"),
                                row.orNaN("machine_idle"),
                                row.orNaN("machine_steal"))));
        file.noteCutOff(problems);
        return clients.entrySet().stream()
                .map(of -> new ClientSeries(of.getKey(), sliceSeconds, of.getValue()))
                .toList();
    }

    /** For messages: {@code client 2}, or {@code the client} when there was one only. */
    public String name() {
        return client.isEmpty() ? "the client" : "client " + client;
    }

    /** For how long the client stalled between two times, in seconds; at least, as short stalls are left out. */
    public double stalledSeconds(double from, double to) {
        return slices.stream()
                .filter(Slice::stalled)
                .mapToDouble(slice -> Math.min(
                        slice.stallSeconds,
                        Math.max(
                                0,
                                Math.min(to, slice.startSeconds + sliceSeconds) - Math.max(from, slice.startSeconds))))
                .sum();
    }

    /** The longest stall: slices in a row that have one. */
    public double longestStallSeconds() {
        double longest = 0;
        double current = 0;
        for (Slice slice : slices) {
            current = slice.stalled() ? current + slice.stallSeconds : 0;
            longest = Math.max(longest, current);
        }
        return longest;
    }

    /** Garbage collection between two times, in seconds. */
    public double gcSeconds(double from, double to) {
        return slices.stream()
                .filter(slice -> slice.startSeconds + sliceSeconds > from && slice.startSeconds < to)
                .mapToDouble(Slice::gcSeconds)
                .sum();
    }
}
