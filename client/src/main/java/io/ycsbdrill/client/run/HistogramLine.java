package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One line of {@code windows.jsonl} or {@code totals.jsonl}; the histogram stays encoded until it is asked for, as all of a run's
 * histograms together do not fit into memory.
 *
 * @param window number of the window; -1 in {@code totals.jsonl}
 * @param response whether it is of response times, not of service times
 * @param count values in the histogram
 * @param encoded HdrHistogram's compressed encoding, base64
 */
public record HistogramLine(
        long window, String operation, Outcome outcome, boolean response, long count, String encoded) {

    /**
     * Writes a line for each histogram of the operation that has values.
     *
     * @param head the beginning of each line
     */
    public static void write(Writer out, Supplier<ObjectNode> head, String operation, OperationTotals totals)
            throws IOException {
        for (Outcome outcome : Outcome.values()) {
            write(out, head, operation, outcome, "service", totals.service(outcome));
            write(out, head, operation, outcome, "response", totals.response(outcome));
        }
    }

    private static void write(
            Writer out,
            Supplier<ObjectNode> head,
            String operation,
            Outcome outcome,
            String measure,
            Histogram histogram)
            throws IOException {
        if (histogram == null) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        ObjectNode line = head.get()
                .put("operation", operation)
                .put("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .put("measure", measure)
                .put("count", histogram.getTotalCount())
                .put("histogram", Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
        out.write(RunDirectory.JSON.writeValueAsString(line));
        out.write('\n');
    }

    /** The content of {@code totals.jsonl}. */
    public static String totals(RunTotals totals, Operations operations) {
        StringWriter text = new StringWriter();
        try {
            for (Map.Entry<Integer, OperationTotals> operation :
                    totals.operations().entrySet()) {
                write(
                        text,
                        RunDirectory.JSON::createObjectNode,
                        operations.name(operation.getKey()),
                        operation.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException saying what is wrong with the line */
    public static HistogramLine of(JsonNode line) {
        String measure = line.path("measure").asText();
        if (!line.path("operation").isTextual()
                || !line.path("count").canConvertToLong()
                || !line.path("histogram").isTextual()
                || !(measure.equals("service") || measure.equals("response"))) {
            throw new IllegalArgumentException("operation, measure, count or histogram is missing");
        }
        return new HistogramLine(
                line.path("window").asLong(-1),
                line.path("operation").asText(),
                Outcome.valueOf(line.path("outcome").asText().toUpperCase(Locale.ROOT)),
                measure.equals("response"),
                line.path("count").asLong(),
                line.path("histogram").asText());
    }

    /** @throws IllegalArgumentException when it cannot be decoded, or has another number of values than the line says */
    public Histogram histogram() {
        Histogram histogram;
        try {
            histogram = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("the histogram cannot be decoded: " + e.getMessage(), e);
        }
        if (histogram.getTotalCount() != count) {
            throw new IllegalArgumentException(
                    "the histogram has " + histogram.getTotalCount() + " values, but count is " + count);
        }
        return histogram;
    }

    /** Adds its values. */
    public void addTo(OperationTotals totals) {
        totals.add(outcome, response ? 0 : count, response ? null : histogram(), response ? histogram() : null);
    }
}
