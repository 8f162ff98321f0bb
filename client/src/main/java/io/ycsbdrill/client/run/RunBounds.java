package io.ycsbdrill.client.run;

import java.time.Duration;

/**
 * How long a run waits for what may never come. Constants of the tool; tests shorten them.
 *
 * @param initialisation of all threads' bindings together
 * @param stop for the calls under way when the run ends; twice the longest call seen so far if that is more, at most {@code longestStop}
 * @param longestStop see {@code stop}
 * @param interrupt for a call to return after its thread was interrupted
 * @param call a call that takes longer than this while the run goes on is taken for hung and ends the run
 */
record RunBounds(Duration initialisation, Duration stop, Duration longestStop, Duration interrupt, Duration call) {
    static final RunBounds STANDARD = new RunBounds(
            Duration.ofMinutes(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5));
}
