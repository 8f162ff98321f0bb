package io.ycsbdrill.client.merge;

import java.util.List;

/** Run directories that cannot be merged; nothing was written. Exit code 1. */
public final class MergeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    MergeException(String problem) {
        this(List.of(problem));
    }

    MergeException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Everything that speaks against it, in the order found; at least one line. */
    public List<String> problems() {
        return problems;
    }
}
