package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A file of slices of one client, read line by line: once to check it, once to add it to the sums.
 *
 * @param file {@code slices.csv}, or another of its form
 * @param column what its slices are of: {@code operation}
 */
record ClientSlices(ClientLines lines, String file, String column) {
    private static final String TOTAL = "TOTAL";
    private static final List<String> COUNTS = Stream.of(Outcome.values())
            .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
            .toList();

    private interface Row {
        void read(int slice, String operation, long[] counts, long maxServiceNanos);
    }

    /**
     * Checks that no slice is missing.
     *
     * @return how many there are
     * @throws MergeException when one is missing or a line is damaged
     */
    int check() throws IOException {
        Map<String, Integer> last = new HashMap<>();
        read((slice, operation, counts, max) -> {
            Integer before = last.put(operation, slice);
            int expected = before != null ? before + 1 : operation.equals(TOTAL) ? 0 : slice;
            if (slice != expected) {
                throw new IllegalArgumentException(
                        "slice " + expected + " of " + operation + " is missing or duplicated");
            }
        });
        int total = last.getOrDefault(TOTAL, -1);
        last.forEach((operation, slice) -> {
            // The total is written last: of a client that was killed, the last slice may lack it.
            if (slice < total) {
                throw new MergeException(
                        lines.directory() + ": damaged: " + file + ": slice " + (slice + 1) + " of " + operation
                                + " is missing; nothing is merged from a damaged run directory: copy it again or leave it out");
            }
        });
        last.forEach((operation, slice) -> {
            if (slice > total + 1) {
                throw new MergeException(lines.directory() + ": damaged: " + file + ": " + operation + " has slice "
                        + slice + ", but the last one of " + TOTAL + " is " + total
                        + "; copy it again or leave it out");
            }
        });
        return 1 + last.values().stream().mapToInt(slice -> slice).max().orElse(-1);
    }

    /**
     * Adds them; not what a client that still runs has written after the check, for which the sums have no room.
     *
     * @param sums of an operation, each of the same length
     * @param shift how many slices later they are in the sums
     */
    void addTo(Function<String, IntervalTotals.Slices> sums, int shift) throws IOException {
        read((slice, operation, counts, max) -> {
            if (!operation.equals(TOTAL)) {
                IntervalTotals.Slices sum = sums.apply(operation);
                int at = slice + shift;
                if (at >= sum.maxServiceNanos().length) {
                    return;
                }
                for (int o = 0; o < counts.length; o++) {
                    sum.completed()[o][at] += counts[o];
                }
                sum.maxServiceNanos()[at] = Math.max(sum.maxServiceNanos()[at], max);
            }
        });
    }

    private void read(Row reader) throws IOException {
        try (CompleteLines text = lines.open(file)) {
            String header = text.next();
            if (header == null) {
                throw new MergeException(text.file() + ": damaged: the file is empty; even its header is missing");
            }
            List<String> columns = Arrays.asList(header.split(",", -1));
            int[] counted = COUNTS.stream().mapToInt(columns::indexOf).toArray();
            int slice = columns.indexOf("slice");
            int of = columns.indexOf(column);
            int longest = columns.indexOf("max_service_us");
            if (slice < 0 || of < 0 || Arrays.stream(counted).anyMatch(at -> at < 0)) {
                throw new MergeException(text.file() + " line 1: damaged: the header is " + header + "; slice, "
                        + column + " and " + String.join(", ", COUNTS) + " are needed");
            }
            String[] values = new String[columns.size()];
            long[] counts = new long[counted.length];
            for (String line = text.next(); line != null; line = text.next()) {
                try {
                    split(line, values);
                    for (int o = 0; o < counts.length; o++) {
                        counts[o] = count(values[counted[o]]);
                    }
                    String max = longest < 0 ? "" : values[longest];
                    reader.read(
                            Math.toIntExact(count(values[slice])),
                            values[of],
                            counts,
                            max.isEmpty() ? -1 : Decimals.parse(max, 3));
                } catch (IllegalArgumentException | ArithmeticException e) {
                    throw new MergeException(text.file() + " line " + text.number() + ": damaged: " + e.getMessage());
                }
            }
        }
    }

    private static long count(String text) {
        long count = Long.parseLong(text);
        if (count < 0) {
            throw new NumberFormatException("\"" + text + "\" is not a count");
        }
        return count;
    }

    private static void split(String line, String[] values) {
        int from = 0;
        for (int i = 0; i < values.length; i++) {
            int comma = line.indexOf(',', from);
            boolean last = i == values.length - 1;
            if (last != (comma < 0)) {
                throw new IllegalArgumentException("expected " + values.length + " fields: " + line);
            }
            values[i] = line.substring(from, last ? line.length() : comma);
            from = comma + 1;
        }
    }
}
