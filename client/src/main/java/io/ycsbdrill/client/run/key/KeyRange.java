package io.ycsbdrill.client.run.key;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Key numbers of a load. The property {@value #PROPERTY} lists those that a resumed load inserts, {@code 17-17,200-299};
 * without it a load inserts {@code insertcount} keys from {@code insertstart} on.
 *
 * @param first not negative
 * @param last inclusive, at least first
 */
public record KeyRange(long first, long last) {
    /** The property that lists ranges. */
    public static final String PROPERTY = "insertranges";

    public KeyRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("key range " + first + "-" + last + " is not a valid range");
        }
    }

    /** How many keys. */
    public long count() {
        return last - first + 1;
    }

    /** The same keys in order, neighbours and overlaps joined. */
    public static List<KeyRange> joined(List<KeyRange> ranges) {
        List<KeyRange> joined = new ArrayList<>();
        for (KeyRange range : ranges.stream()
                .sorted(Comparator.comparingLong(KeyRange::first))
                .toList()) {
            KeyRange before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (before != null && range.first <= before.last + 1) {
                joined.set(joined.size() - 1, new KeyRange(before.first, Math.max(before.last, range.last)));
            } else {
                joined.add(range);
            }
        }
        return List.copyOf(joined);
    }

    /** The form of the property's value. */
    public static String text(List<KeyRange> ranges) {
        return ranges.stream().map(r -> r.first + "-" + r.last).collect(Collectors.joining(","));
    }

    /**
     * From the property's value.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static List<KeyRange> parse(String text) {
        List<KeyRange> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.strip().matches("\\d{1,18}-\\d{1,18}")) {
                throw new IllegalArgumentException(PROPERTY + ": \"" + part + "\" is not FIRST-LAST");
            }
            String[] ends = part.strip().split("-");
            ranges.add(new KeyRange(Long.parseLong(ends[0]), Long.parseLong(ends[1])));
        }
        return joined(ranges);
    }
}
