package io.ycsbdrill.client.session;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The logs that stock YCSB writes with {@code hdrhistogram.fileoutput=true}: a file for each operation, an interval for each window of the
 * run, microseconds. They are made of the windows' own histograms.
 */
final class HdrFiles {
    /**
     * Writes them, when they are asked for.
     *
     * @return why they could not be written; empty when they were, or are not wanted
     */
    static Optional<String> write(Properties properties, Path run) {
        if (!Boolean.parseBoolean(properties.getProperty("hdrhistogram.fileoutput"))) {
            return Optional.empty();
        }
        String prefix = properties.getProperty("hdrhistogram.output.path", "");
        Map<String, HistogramLogWriter> logs = new TreeMap<>();
        try (BufferedReader lines = Files.newBufferedReader(run.resolve(RunFile.HISTOGRAMS))) {
            long started = Instant.parse(Json.read(run.resolve(RunFile.RUN))
                            .path("startedAt")
                            .asText())
                    .toEpochMilli();
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                HistogramLine line = HistogramLine.of(text);
                if (line.ok()) {
                    String name = (line.response() ? "Intended-" : "") + line.operation();
                    HistogramLogWriter log = logs.get(name);
                    if (log == null) {
                        Path file = prefix.isEmpty() ? run.resolve(name + ".hdr") : Path.of(prefix + name + ".hdr");
                        log = begun(file, started);
                        logs.put(name, log);
                    }
                    log.outputIntervalHistogram(micros(line, started));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("hdrhistogram.output.path=" + prefix + ": the histogram logs cannot be written: "
                    + FileReason.of(e));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.of("the histogram logs cannot be written: " + e.getMessage());
        } finally {
            logs.values().forEach(HistogramLogWriter::close);
        }
    }

    private static HistogramLogWriter begun(Path file, long started) throws IOException {
        HistogramLogWriter log = new HistogramLogWriter(file.toFile());
        log.outputLogFormatVersion();
        log.outputStartTime(started);
        log.setBaseTime(started);
        log.outputLegend();
        return log;
    }

    private static Histogram micros(HistogramLine line, long started) {
        Histogram micros = new Histogram(3);
        line.histogram()
                .recordedValues()
                .forEach(each -> micros.recordValueWithCount(
                        each.getValueIteratedTo() / 1000, each.getCountAtValueIteratedTo()));
        micros.setStartTimeStamp(started + line.startNanos() / 1_000_000);
        micros.setEndTimeStamp(started + line.endNanos() / 1_000_000);
        return micros;
    }
}
