package io.ycsbdrill.fault.node.galera;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.Io;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A server's account of itself ({@code wsrep_status_file}).
 *
 * @param state {@code DISCONNECTED}, {@code CONNECTED}, {@code JOINING}, {@code JOINED}, {@code SYNCED}, {@code DONOR}, ...
 * @param comment the same for people: {@code Receiving IST}
 * @param changed when the state was entered; empty when the file was last written for another reason, such as a warning, for
 *     which it has whole seconds only
 */
record StatusFile(String state, String comment, Optional<Instant> changed) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads the file; empty when it is not there, or is just being written. */
    static Optional<StatusFile> read(Path file) {
        return Io.or(Optional.empty(), () -> parse(Files.readString(file)));
    }

    static Optional<StatusFile> parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            JsonNode status = json.path("status");
            if (!status.hasNonNull("state")) {
                return Optional.empty();
            }
            String state = status.path("state").asText();
            return Optional.of(new StatusFile(
                    state,
                    status.path("comment").asText(),
                    moment(json.path("timestamp").asText())));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> moment(String seconds) {
        try {
            BigDecimal[] parts = new BigDecimal(seconds).divideAndRemainder(BigDecimal.ONE);
            long nanos = parts[1].movePointRight(9).longValue();
            return nanos == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(parts[0].longValueExact(), nanos));
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether the server holds everything and serves. */
    boolean recovered() {
        return state.equals("SYNCED") || state.equals("DONOR");
    }
}
