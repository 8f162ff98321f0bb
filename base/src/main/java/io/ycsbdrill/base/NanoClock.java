package io.ycsbdrill.base;

/** A source of monotonic time. Thread-safe. Injected wherever time is read, so that tests set it by hand. */
@FunctionalInterface
public interface NanoClock {

    /** {@link System#nanoTime()}. On Linux all processes of one machine share this scale (CLOCK_MONOTONIC). */
    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds on a scale with an arbitrary origin: only differences are meaningful. */
    long nanoTime();
}
