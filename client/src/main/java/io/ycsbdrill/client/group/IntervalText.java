package io.ycsbdrill.client.group;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.rundir.HistogramLine;
import java.util.Locale;
import java.util.Optional;

/** A recording interval of one client as a line of text, without what only its own run directory is made of. */
final class IntervalText {
    private static final String MAX = "max";
    private static final String CALL = "call";
    private static final String TIMES = "times";
    private static final String SECOND = "second";

    /** What claims to be longer would need memory that nobody has. */
    private static final long MOST_NANOS = 1_000_000_000L;

    /**
     * One line, without its end.
     *
     * @param second that the interval ends; empty when it ends none that is judged
     */
    static String write(IntervalTotals interval, Operations names, Optional<ServedSecond> second) {
        ObjectNode line = RunDirectory.JSON
                .createObjectNode()
                .put("index", interval.index())
                .put("start", interval.startNanos())
                .put("end", interval.endNanos());
        if (interval.skipped() > 0) {
            ArrayNode skipped = line.putArray("skipped");
            for (int i = 0; i < interval.slices(); i++) {
                skipped.add(interval.skipped(i));
            }
        }
        second.ifPresent(served -> line.putPOJO(SECOND, served));
        ObjectNode operations = line.putObject("operations");
        return Io.get("writing to memory failed", () -> {
            for (var each : interval.operations().entrySet()) {
                int id = each.getKey();
                ObjectNode operation = operations.putObject(names.name(id)).put(CALL, Operations.isCall(id));
                IntervalTotals.Slices slices = interval.sliced().get(id);
                for (Outcome outcome : Outcome.values()) {
                    numbers(operation.putArray(key(outcome)), slices.completed()[outcome.ordinal()]);
                }
                numbers(operation.putArray(MAX), slices.maxServiceNanos());
                ArrayNode array = operation.putArray(TIMES);
                each.getValue().lines(names.name(id)).forEach(array::addPOJO);
            }
            return RunDirectory.JSON.writeValueAsString(line);
        });
    }

    private static String key(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static void numbers(ArrayNode array, long... values) {
        for (long value : values) {
            array.add(value);
        }
    }

    /** @throws IllegalArgumentException when the line is not JSON */
    static JsonNode parse(String text) {
        try {
            return RunDirectory.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not an interval: " + e.getOriginalMessage());
        }
    }

    /**
     * What {@link #write} has written.
     *
     * @param names of the operations of all clients; new ones are added
     * @throws IllegalArgumentException when the line is something else
     */
    static IntervalTotals read(JsonNode line, Operations names, long sliceNanos) {
        long start = line.path("start").asLong(-1);
        long end = line.path("end").asLong(-1);
        if (!line.path("index").isIntegralNumber()
                || start < 0
                || end < start
                || end - start > MOST_NANOS
                || start % sliceNanos != 0) {
            throw new IllegalArgumentException("not an interval: index, start or end is missing or impossible");
        }
        IntervalTotals interval = new IntervalTotals(line.path("index").asLong(), start, end, sliceNanos);
        JsonNode skipped = line.path("skipped");
        requireSlices(skipped, interval);
        for (int i = 0; i < skipped.size(); i++) {
            interval.addSkipped(i, skipped.get(i).asLong());
        }
        for (var each : line.path("operations").properties()) {
            JsonNode operation = each.getValue();
            String name = each.getKey();
            OperationTotals totals = new OperationTotals();
            operation.path(TIMES).forEach(times -> totals.add(HistogramLine.of(times.toString())));
            interval.add(id(name, operation.path(CALL).asBoolean(), names), totals, slices(operation, interval));
        }
        return interval;
    }

    /** The second that {@link #write} was given. */
    static Optional<ServedSecond> second(JsonNode line) {
        try {
            JsonNode served = line.path(SECOND);
            return served.isObject()
                    ? Optional.of(RunDirectory.JSON.treeToValue(served, ServedSecond.class))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a second: " + e.getOriginalMessage());
        }
    }

    private static IntervalTotals.Slices slices(JsonNode operation, IntervalTotals interval) {
        long[] longest = numbers(operation.path(MAX), interval);
        long[][] completed = new long[Outcome.values().length][];
        for (Outcome outcome : Outcome.values()) {
            completed[outcome.ordinal()] = numbers(operation.path(key(outcome)), interval);
            if (completed[outcome.ordinal()].length != longest.length) {
                throw new IllegalArgumentException("not an interval: columns of different length");
            }
        }
        return new IntervalTotals.Slices(completed, longest);
    }

    /** The number of an operation of another client, by its name. */
    static int id(String name, boolean call, Operations names) {
        return call ? names.whole(name) : names.id(name);
    }

    private static void requireSlices(JsonNode array, IntervalTotals interval) {
        if (array.size() > interval.slices()) {
            throw new IllegalArgumentException(
                    "not an interval: " + array.size() + " slices, and it has " + interval.slices());
        }
    }

    private static long[] numbers(JsonNode array, IntervalTotals interval) {
        requireSlices(array, interval);
        long[] numbers = new long[array.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = array.get(i).asLong();
        }
        return numbers;
    }
}
