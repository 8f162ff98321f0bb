package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import java.util.OptionalDouble;

/**
 * What a restore from a backup has taken back in the middle of a run, which is no finding: {@code restore} of {@code audit.json}.
 *
 * @param json the object as it is
 */
public record RestoreData(JsonNode json) {

    /** Whether it could have taken any acknowledged write. */
    public boolean tookAcknowledged() {
        return json.path("acknowledged").asLong() > 0;
    }

    /** How long before the loss the oldest write began that was found gone; older ones may have been written anew since. Empty when there is none. */
    public OptionalDouble atLeastSeconds() {
        return number("rpoSeconds");
    }

    /** No write that a right restore has taken began longer before the loss: the time since the backup was asked for, or since the first write under way then began. */
    public OptionalDouble atMostSeconds() {
        return number("rpoAtMostSeconds");
    }

    /** Whether nothing was found gone that is older than that, in seconds. */
    public boolean mayHaveKept(double seconds) {
        return atLeastSeconds().orElse(0) <= seconds;
    }

    /** In a sentence without its full stop. */
    public String text() {
        if (!tookAcknowledged()) {
            return "restored from a backup: no write was acknowledged between its request and the loss";
        }
        boolean timed = json.path("lostSeconds").isNumber()
                && json.path("backupSeconds").isNumber();
        return Formatted.of(
                "restored from a backup: of %,d {write that was|writes that were} acknowledged from its request to the loss%s,"
                        + " at least %,d {is|are} gone, as is to be expected; %s",
                json.path("acknowledged").asLong(),
                timed
                        ? Formatted.of(
                                ", %.1f s",
                                json.path("lostSeconds").asDouble()
                                        - json.path("backupSeconds").asDouble())
                        : "",
                json.path("gone").asLong(),
                atLeastSeconds().isPresent()
                        ? Formatted.of(
                                "the oldest that was found gone began %.1f s before the loss",
                                atLeastSeconds().getAsDouble())
                        : "the others were kept by the backup, or written anew since");
    }

    private OptionalDouble number(String key) {
        JsonNode number = json.path(key);
        return number.isNumber() ? OptionalDouble.of(number.asDouble()) : OptionalDouble.empty();
    }
}
