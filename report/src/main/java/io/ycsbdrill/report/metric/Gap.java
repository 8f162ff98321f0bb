package io.ycsbdrill.report.metric;

/**
 * The longest time without a success. Slices say only that the last success before and the first one after lie somewhere
 * in their slices, so the true gap is within one slice of {@code seconds}.
 *
 * @param startSeconds end of the last slice with a success before it (or the start of the search)
 * @param seconds empty slices plus one, times the slice length
 * @param plusMinusSeconds one slice
 * @param open true when no success followed: the gap lasted at least this long
 */
public record Gap(double startSeconds, double seconds, double plusMinusSeconds, boolean open) {}
