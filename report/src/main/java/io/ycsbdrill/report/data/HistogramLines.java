package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/** The histograms of {@code windows.jsonl} and {@code totals.jsonl}, added up; percentiles come from sums only. Stateless. */
public final class HistogramLines {
    static final String WINDOWS = "windows.jsonl";
    /** Cookie and length before the compressed part. */
    private static final int HEAD_BYTES = 8;

    private static final int LEAST_BYTES = HEAD_BYTES + 2;
    /** A histogram of nanoseconds has at most some hundred thousand counts; what claims more is not decoded. */
    private static final int MOST_BYTES = 4 << 20;

    private HistogramLines() {}

    /**
     * Looks into every line: the histograms of successful operations have as many values as the rows of {@code windows.csv}. What is
     * wrong first is a problem; the rest of a damaged file is not looked at.
     */
    static void check(TextFile file, Map<String, List<Window>> windows, List<Problem> problems) {
        Map<String, Long> counts = new HashMap<>();
        int number = 0;
        try {
            for (String line : file.lines()) {
                number++;
                JsonNode node = Json.READER.readTree(line);
                if (!node.path("window").canConvertToInt()
                        || !node.path("operation").isTextual()) {
                    throw new IllegalArgumentException("window or operation is missing");
                }
                Histogram histogram = histogram(node);
                if (node.has("count") && node.path("count").asLong() != histogram.getTotalCount()) {
                    throw new IllegalArgumentException("the histogram has " + histogram.getTotalCount()
                            + " values, but count is " + node.path("count").asText());
                }
                if (node.path("outcome").asText().equals("ok")
                        && node.path("measure").asText().equals("service")) {
                    counts.merge(
                            node.path("window").asInt() + " of "
                                    + node.path("operation").asText(),
                            histogram.getTotalCount(),
                            Long::sum);
                }
            }
            for (Map.Entry<String, List<Window>> operation : windows.entrySet()) {
                for (Window window :
                        operation.getKey().equals(Slices.TOTAL) ? List.<Window>of() : operation.getValue()) {
                    String which = window.index() + " of " + operation.getKey();
                    long found = counts.getOrDefault(which, 0L);
                    if (found != window.ok()) {
                        number = 0;
                        throw new IllegalArgumentException("window " + which + " has " + found
                                + " successful operations, but " + window.ok() + " in windows.csv");
                    }
                }
            }
        } catch (JsonProcessingException e) {
            problems.add(new Problem(WINDOWS, number, Problem.Kind.DAMAGED, "damaged line: " + e.getOriginalMessage()));
        } catch (DataFormatException | RuntimeException e) {
            problems.add(new Problem(WINDOWS, number, Problem.Kind.DAMAGED, "damaged: " + e.getMessage()));
        }
    }

    private static Histogram histogram(JsonNode node) throws DataFormatException {
        byte[] bytes = Base64.getDecoder().decode(node.path("histogram").asText());
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException("histogram is missing or too short");
        }
        requireSmall(bytes);
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    }

    /** The compressed part may unpack to a thousand times its size. */
    private static void requireSmall(byte[] bytes) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
            byte[] piece = new byte[1 << 13];
            while (!inflater.finished()) {
                if (inflater.inflate(piece) == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new DataFormatException("the histogram ends in the middle");
                }
                if (inflater.getTotalOut() > MOST_BYTES) {
                    throw new DataFormatException("the histogram is larger than any");
                }
            }
        } finally {
            inflater.end();
        }
    }

    /**
     * Adds the histograms of successful operations in a file.
     *
     * @param sums in nanoseconds, by {@code "operation measure"}
     * @throws IOException when the file cannot be read or one line is damaged; the sums are then of no use
     */
    public static void add(Path file, Map<String, Histogram> sums) throws IOException {
        forEach(file, (node, histogram) -> {
            if (node.path("outcome").asText().equals("ok")) {
                add(
                        histogram,
                        node.path("operation").asText() + " "
                                + node.path("measure").asText(),
                        sums);
            }
        });
    }

    /**
     * How long the longest operation of each kind took, whatever became of it, in microseconds.
     *
     * @throws IOException when the file cannot be read or one line is damaged
     */
    public static Map<String, Double> longestMicros(Path file) throws IOException {
        Map<String, Double> longest = new TreeMap<>();
        forEach(file, (node, histogram) -> {
            if (node.path("measure").asText().equals("service") && histogram.getTotalCount() > 0) {
                longest.merge(node.path("operation").asText(), histogram.getMaxValue() / 1000.0, Math::max);
            }
        });
        return longest;
    }

    private static void forEach(Path file, BiConsumer<JsonNode, Histogram> action) throws IOException {
        try {
            for (String line : TextFile.read(file).lines()) {
                JsonNode node = Json.READER.readTree(line);
                action.accept(node, histogram(node));
            }
        } catch (DataFormatException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | NegativeArraySizeException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        } catch (RunFormatException e) {
            throw new IOException(e.getMessage(), e);
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
