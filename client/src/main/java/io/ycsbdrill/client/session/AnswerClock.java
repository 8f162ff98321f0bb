package io.ycsbdrill.client.session;

import io.ycsbdrill.report.data.RunData;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Supplier;

/** Takes the times of a session that its run does not record. Not thread-safe. */
final class AnswerClock {
    private Instant begun = Instant.now();
    private Duration load = Duration.ZERO;
    private Instant ended = begun;

    /** When the user began to wait; when the clock was made unless set. */
    void since(Instant value) {
        begun = value;
    }

    /** Does a load before the run. */
    <T> T loading(Supplier<T> loader) {
        Instant from = Instant.now();
        try {
            return loader.get();
        } finally {
            load = Duration.between(from, Instant.now());
        }
    }

    /** The run directory is complete; figures and pages follow. */
    void ended() {
        ended = Instant.now();
    }

    /**
     * What the time until now was for, also into the summary of the run; empty where the run has no figures, as it never started.
     *
     * @throws IOException when the summary cannot be replaced
     * @throws DateTimeParseException when the run does not say when it was started
     */
    Optional<AnswerTime> time(RunData run) throws IOException {
        if (run.summary().isEmpty()) {
            return Optional.empty();
        }
        Instant started = Instant.parse(run.run().path("startedAt").asText());
        AnswerTime time = AnswerTime.of(
                run,
                seconds(begun, started),
                load.toNanos() / 1e9,
                seconds(started, ended),
                seconds(ended, Instant.now()));
        time.write(run.directory());
        return Optional.of(time);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
