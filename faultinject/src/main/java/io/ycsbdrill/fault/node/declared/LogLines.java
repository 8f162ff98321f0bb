package io.ycsbdrill.fault.node.declared;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the lines mean that a server prints.
 *
 * @param time where the time of a line is: the only group
 * @param format of that time, which is UTC unless it says otherwise
 * @param rules the first that fits a line counts
 */
record LogLines(Words time, DateTimeFormatter format, List<Rule> rules) {
    private static final int MOST_CHARACTERS = 4096;
    private static final Pattern FRACTION = Pattern.compile("'[^']*'|S+");
    private static final Instant SAMPLE = Instant.parse("2024-11-23T14:35:47.123Z");

    /** What a line means; the names, in lower case and with dashes, are words of the file. */
    enum Meaning {
        /** The server is primary from now on. */
        PRIMARY,
        /** It no longer is. */
        NOT_PRIMARY,
        /** It copies from the others what it has missed. */
        SYNCHRONISE,
        /** A step worth keeping. */
        STEP;

        /** As the file has it. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** @param words what is in the line */
    record Rule(Words words, Meaning meaning) {}

    /**
     * A line that means something.
     *
     * @param at empty when the line has no time that can be read
     */
    record Event(Optional<Instant> at, Meaning meaning, String text) {}

    LogLines {
        rules = List.copyOf(rules);
    }

    /**
     * A pattern of times: letters of {@link DateTimeFormatter}, months in English; a fraction of a second may have any number of digits.
     *
     * @throws IllegalArgumentException when it is none, or does not tell a time to the second
     */
    static DateTimeFormatter format(String pattern) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder();
        Matcher part = FRACTION.matcher(pattern);
        int done = 0;
        while (part.find()) {
            if (part.group().startsWith("S")) {
                builder.appendPattern(pattern.substring(done, part.start()))
                        .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, false);
                done = part.end();
            }
        }
        DateTimeFormatter format =
                builder.appendPattern(pattern.substring(done)).toFormatter(Locale.ENGLISH);
        try {
            Instant read = read(SAMPLE.atZone(ZoneOffset.UTC).format(format), format);
            if (Duration.between(read, SAMPLE).abs().toSeconds() == 0) {
                return format;
            }
        } catch (DateTimeException e) {
            // said below
        }
        throw new IllegalArgumentException("it does not tell year, month, day, hour, minute and second");
    }

    private static Instant read(String text, DateTimeFormatter format) {
        return format.parseBest(text, ZonedDateTime::from, LocalDateTime::from) instanceof ZonedDateTime zoned
                ? zoned.toInstant()
                : LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
    }

    /** What the line says; empty when that is nothing of interest. */
    Optional<Event> event(String whole) {
        String line = whole.substring(0, Math.min(whole.length(), MOST_CHARACTERS));
        return rules.stream()
                .filter(rule -> rule.words().in(line))
                .findFirst()
                .map(rule -> new Event(time(line), rule.meaning(), line));
    }

    private Optional<Instant> time(String line) {
        Optional<String> text = time.find(line).map((MatchResult at) -> at.group(1));
        try {
            return text.map(each -> read(each, format));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** All that is looked for. */
    Stream<Words> words() {
        return Stream.concat(Stream.of(time), rules.stream().map(Rule::words));
    }
}
