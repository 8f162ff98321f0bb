package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** The histograms of {@code windows.jsonl} and {@code totals.jsonl}, added up; percentiles come from sums only. Stateless. */
public final class HistogramLines {
    private HistogramLines() {}

    /**
     * Adds the histograms of successful operations in a file.
     *
     * @param sums in nanoseconds, by {@code "operation measure"}
     * @throws IOException when the file cannot be read or one line is damaged; the sums are then of no use
     */
    public static void add(Path file, Map<String, Histogram> sums) throws IOException {
        try {
            for (String line : TextFile.read(file).lines()) {
                JsonNode node = Json.READER.readTree(line);
                if (!node.path("outcome").asText().equals("ok")) {
                    continue;
                }
                ByteBuffer bytes = ByteBuffer.wrap(
                        Base64.getDecoder().decode(node.path("histogram").asText()));
                add(
                        Histogram.decodeFromCompressedByteBuffer(bytes, 0),
                        node.path("operation").asText() + " "
                                + node.path("measure").asText(),
                        sums);
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void add(Histogram histogram, String key, Map<String, Histogram> sums) {
        Histogram sum = sums.get(key);
        if (sum == null) {
            histogram.setAutoResize(true);
            sums.put(key, histogram);
        } else {
            sum.add(histogram);
        }
    }

    /**
     * What reports show of a sum.
     *
     * @param nanos null for none
     */
    public static Percentiles percentiles(Histogram nanos) {
        return nanos == null || nanos.getTotalCount() == 0
                ? Percentiles.ABSENT
                : new Percentiles(
                        nanos.getMean() / 1000,
                        nanos.getValueAtPercentile(50) / 1000.0,
                        nanos.getValueAtPercentile(90) / 1000.0,
                        nanos.getValueAtPercentile(95) / 1000.0,
                        nanos.getValueAtPercentile(99) / 1000.0,
                        nanos.getValueAtPercentile(99.9) / 1000.0,
                        nanos.getMaxValue() / 1000.0);
    }
}
