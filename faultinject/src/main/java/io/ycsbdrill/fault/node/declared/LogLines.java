package io.ycsbdrill.fault.node.declared;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the lines mean that a server prints. Immutable.
 *
 * @param time where the time of a line is: the only group
 * @param format of that time, which is UTC
 * @param rules the first that fits a line counts
 */
record LogLines(Pattern time, DateTimeFormatter format, List<Rule> rules) {

    /** What a line means; the names, in lower case and with dashes, are words of the file. */
    enum Meaning {
        /** The server is primary from now on. */
        PRIMARY,
        /** It no longer is. */
        NOT_PRIMARY,
        /** It copies from the others what it has missed. */
        SYNCHRONISE,
        /** The copy is over, and it waits for something. */
        WAIT_CHECKPOINT,
        /** A step worth keeping. */
        STEP;

        /** As the file has it. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** @param words what is in the line */
    record Rule(Pattern words, Meaning meaning) {}

    /** A line that means something. */
    record Event(Instant at, Meaning meaning, String text) {}

    LogLines {
        rules = List.copyOf(rules);
    }

    /** A pattern of times in UTC: letters of {@link DateTimeFormatter}, months in English. */
    static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    /** What the line says; empty when that is nothing of interest, or it has no time. */
    Optional<Event> event(String line) {
        for (Rule rule : rules) {
            if (rule.words().matcher(line).find()) {
                Matcher at = time.matcher(line);
                try {
                    return at.find()
                            ? Optional.of(new Event(
                                    LocalDateTime.parse(at.group(1), format).toInstant(ZoneOffset.UTC),
                                    rule.meaning(),
                                    line))
                            : Optional.empty();
                } catch (DateTimeException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
