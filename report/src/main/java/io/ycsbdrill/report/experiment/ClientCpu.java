package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Processor time of the client for a successful operation, from {@code client.csv}: mean number of processors that it kept busy by
 * operations per second, both of the trimmed run, so without its start and its warm-up. Stateless.
 */
final class ClientCpu {
    /** In microseconds, of all clients together; empty where a part of it is not known or cannot be read, or nothing succeeded. */
    static OptionalDouble microsPerOperation(Path run, JsonNode summary) throws IOException {
        JsonNode trimmed = summary.path("trimmed");
        double throughput = summary.path("throughputOpsPerSecond").asDouble(0);
        if (!Files.isRegularFile(run.resolve(RunTable.CLIENT.file()))
                || !trimmed.path("endSeconds").isNumber()
                || throughput <= 0) {
            return OptionalDouble.empty();
        }
        double from = trimmed.path("startSeconds").asDouble();
        double to = trimmed.path("endSeconds").asDouble();
        Map<String, DoubleSummaryStatistics> clients = new LinkedHashMap<>();
        CsvFile file;
        try {
            file = new CsvFile(
                    TextFile.read(run.resolve(RunTable.CLIENT.file())),
                    new ArrayList<>(),
                    List.of("start_s", "client_cpus"));
        } catch (RunFormatException e) {
            return OptionalDouble.empty();
        }
        file.forEach(row -> {
            double start = row.required("start_s");
            if (start >= from && start < to) {
                clients.computeIfAbsent(row.text("client"), none -> new DoubleSummaryStatistics())
                        .accept(row.orNaN("client_cpus"));
            }
        });
        // A client that ended before the others used nothing from then on.
        long slices = clients.values().stream()
                .mapToLong(DoubleSummaryStatistics::getCount)
                .max()
                .orElse(1);
        double cpus = clients.values().stream()
                        .mapToDouble(DoubleSummaryStatistics::getSum)
                        .sum()
                / slices;
        return clients.isEmpty() || Double.isNaN(cpus)
                ? OptionalDouble.empty()
                : OptionalDouble.of(cpus / throughput * 1e6);
    }
}
