package io.ycsbdrill.client.audit.journal;

/**
 * What one field of a row has shown to a client while the run went on.
 *
 * @param field its number; {@link Write#ROW} when there was no such row
 * @param found see {@link Stamp#read}
 * @param startNanos before the call
 * @param endNanos after it returned
 */
public record Read(int field, long found, long startNanos, long endNanos) {}
