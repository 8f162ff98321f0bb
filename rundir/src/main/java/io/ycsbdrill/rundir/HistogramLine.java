package io.ycsbdrill.rundir;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * One line of {@code windows.jsonl} or {@code totals.jsonl}; the histogram stays encoded until it is asked for, as all of a run's
 * histograms together do not fit into memory.
 *
 * @param window number of the window; null in {@code totals.jsonl}, as its times
 * @param outcome {@code ok}, {@code failed} or {@code unknown}
 * @param measure {@value #SERVICE} or {@value #RESPONSE}
 * @param count values in the histogram; null in files of early versions
 * @param encoded HdrHistogram's compressed encoding of nanoseconds, base64
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"window", "start_ns", "end_ns", "operation", "outcome", "measure", "count", "histogram"})
public record HistogramLine(
        Long window,
        @JsonProperty("start_ns") Long startNanos,
        @JsonProperty("end_ns") Long endNanos,
        String operation,
        String outcome,
        String measure,
        Long count,
        @JsonProperty("histogram") String encoded) {
    public static final String SERVICE = "service";
    public static final String RESPONSE = "response";

    private static final Set<String> OUTCOMES = Set.of("ok", "failed", "unknown");

    /** Cookie and length before the compressed part. */
    private static final int HEAD_BYTES = 8;

    private static final int LEAST_BYTES = HEAD_BYTES + 2;
    /** A histogram of nanoseconds has at most some hundred thousand counts; what claims more is not decoded. */
    private static final int MOST_BYTES = 4 << 20;

    /** A line of the run as a whole. */
    public static HistogramLine of(String operation, String outcome, String measure, Histogram nanos) {
        ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(buffer);
        String encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
        return new HistogramLine(null, null, null, operation, outcome, measure, nanos.getTotalCount(), encoded);
    }

    /** The same of a window. */
    public HistogramLine in(long index, long start, long end) {
        return new HistogramLine(index, start, end, operation, outcome, measure, count, encoded);
    }

    /** As it is written, without line end. */
    public String json() {
        return Json.text(this);
    }

    /** @throws IllegalArgumentException saying what is wrong with the line */
    public static HistogramLine of(String json) {
        HistogramLine line;
        try {
            line = Json.READER.readValue(json, HistogramLine.class);
        } catch (MismatchedInputException e) {
            throw new IllegalArgumentException("it is not an object with a histogram", e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
        if (line == null
                || line.operation == null
                || line.outcome == null
                || !OUTCOMES.contains(line.outcome)
                || line.encoded == null
                || !(line.response() || SERVICE.equals(line.measure))) {
            throw new IllegalArgumentException("operation, outcome, measure or histogram is missing or unknown");
        }
        return line;
    }

    /** How many values it has. */
    public long values() {
        return count != null ? count : histogram().getTotalCount();
    }

    /** Whether it is of response times, not of service times. */
    public boolean response() {
        return RESPONSE.equals(measure);
    }

    /** Whether it is of successful operations. */
    public boolean ok() {
        return "ok".equals(outcome);
    }

    /** @throws IllegalArgumentException when it cannot be decoded, or has another number of values than the line says */
    public Histogram histogram() {
        Histogram histogram;
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            if (bytes.length < LEAST_BYTES) {
                throw new DataFormatException("it is too short");
            }
            requireSmall(bytes);
            histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("the histogram cannot be decoded: " + e.getMessage(), e);
        }
        if (count != null && histogram.getTotalCount() != count) {
            throw new IllegalArgumentException(
                    "the histogram has " + histogram.getTotalCount() + " values, but count is " + count);
        }
        return histogram;
    }

    /** The compressed part may unpack to a thousand times its size. */
    private static void requireSmall(byte[] bytes) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
            byte[] piece = new byte[1 << 13];
            while (!inflater.finished()) {
                if (inflater.inflate(piece) == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new DataFormatException("it ends in the middle");
                }
                if (inflater.getTotalOut() > MOST_BYTES) {
                    throw new DataFormatException("it is larger than any");
                }
            }
        } finally {
            inflater.end();
        }
    }
}
