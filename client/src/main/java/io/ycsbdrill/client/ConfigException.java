package io.ycsbdrill.client;

import java.util.List;
import java.util.function.Supplier;

/** A configuration that cannot be run; thrown before anything starts, with every problem found. Exit code 2. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Not transient in spirit, but exceptions of this kind are never serialised. */
    private final transient List<String> problems;

    /** One problem: key, value, what was expected. */
    public ConfigException(String problem) {
        this(List.of(problem));
    }

    /**
     * All problems at once.
     *
     * @param problems at least one; each names key, value and what was expected
     */
    public ConfigException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * Does what refuses values that a user has given with {@link IllegalArgumentException}.
     *
     * @param subject begins the message that such a refusal becomes; may be empty
     */
    public static <T> T from(String subject, Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw new ConfigException((subject + e.getMessage()).lines().toList());
        }
    }

    /** What is wrong, in the order found; at least one line. */
    public List<String> problems() {
        return problems;
    }
}
