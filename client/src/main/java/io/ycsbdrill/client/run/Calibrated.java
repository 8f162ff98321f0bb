package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.run.file.Format;
import java.util.Optional;

/**
 * What a calibration has measured, and the rate that was set.
 *
 * @param share of the maximum that is sent
 * @param fromSeconds start of the stretch that was measured, since run start; what came before was the warm-up
 * @param toSeconds its end
 * @param maximum mean of its seconds, in transactions per second
 * @param scatter standard deviation of its seconds, divided by their mean
 * @param failedShare failed and unknown operations of all operations in it
 * @param sinceNanos from when on the rate is sent, since run start
 * @param rate arrivals per second, all threads of this client together
 * @param doubt why the maximum may be another; empty when it is certain
 * @param usable whether the load may be a share of it
 */
public record Calibrated(
        double share,
        double fromSeconds,
        double toSeconds,
        double maximum,
        double scatter,
        double failedShare,
        long sinceNanos,
        double rate,
        Optional<String> doubt,
        boolean usable) {

    /** One line for the terminal. */
    public String text() {
        return Formatted.of(
                "load: %s of the maximum = %,.0f arrivals/s, from %.1f s on; maximum %,.0f/s \u00b1 %.1f %%,"
                        + " measured from %.0f s to %.0f s in a closed loop%s",
                Format.percent(share),
                rate,
                sinceNanos / 1e9,
                maximum,
                100 * scatter,
                fromSeconds,
                toSeconds,
                failedShare > 0 ? Formatted.of(", with %.2f %% of its operations failed", 100 * failedShare) : "");
    }

    void putInto(ObjectNode load) {
        load.put("measuredMaximum", maximum)
                .put("scatter", scatter)
                .put("failedShare", failedShare)
                .put("measuredFromSeconds", fromSeconds)
                .put("measuredToSeconds", toSeconds)
                .put("sinceSeconds", sinceNanos / 1e9)
                .put("rate", rate);
        doubt.ifPresent(text -> load.put("doubt", text));
    }
}
