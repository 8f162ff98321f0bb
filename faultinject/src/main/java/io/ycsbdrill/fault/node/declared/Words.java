package io.ycsbdrill.fault.node.declared;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of the file, which is looked for in what servers say. One that takes too long would hold up whoever asks for the
 * cluster's state: it is given up for good, and says so. Thread-safe.
 */
final class Words {
    /** Characters looked at in one text: some hundredth of a second. Counted, as a busy machine must not make the difference. */
    private static final int MOST_STEPS = 5_000_000;

    private final String key;
    private final Pattern pattern;
    private volatile String problem = "";

    /** @throws PatternSyntaxException when it is none */
    Words(String key, String pattern) {
        this.key = key;
        this.pattern = Pattern.compile(pattern);
    }

    /** How many groups it has. */
    int groups() {
        return pattern.matcher("").groupCount();
    }

    /** Why it is looked for no more; empty while it is. */
    Optional<String> problem() {
        return Optional.of(problem).filter(text -> !text.isEmpty());
    }

    boolean in(String text) {
        return find(text).isPresent();
    }

    Optional<MatchResult> find(String text) {
        if (!problem.isEmpty()) {
            return Optional.empty();
        }
        try {
            Matcher matcher = pattern.matcher(new Counted(text));
            return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
        } catch (TooLong | StackOverflowError e) {
            problem = key + ": \"" + pattern + "\" is looked for no more: it takes too long with a text of "
                    + text.length() + " characters; write it without repetitions in repetitions";
            return Optional.empty();
        }
    }

    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLong() {
            super(null, null, false, false);
        }
    }

    private static final class Counted implements CharSequence {
        private final String text;
        private int steps;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > MOST_STEPS) {
                throw new TooLong();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
