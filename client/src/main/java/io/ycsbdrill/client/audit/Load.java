package io.ycsbdrill.client.audit;

import java.util.function.LongFunction;

/**
 * The rows that were in the table before a run, by their numbers.
 *
 * @param rows how many; 0 when it is not known which
 * @param key of a number
 */
public record Load(long first, long rows, LongFunction<String> key) {
    /** It is not known which rows there were. */
    public static final Load UNKNOWN = new Load(0, 0, Long::toString);
}
