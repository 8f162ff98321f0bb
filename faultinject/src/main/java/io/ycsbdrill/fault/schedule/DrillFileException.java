package io.ycsbdrill.fault.schedule;

import java.util.List;

/** A drill file is invalid; the message has one line per problem. */
public final class DrillFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    DrillFileException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each with file, line, key, value and what is allowed; in order of lines. */
    public List<String> problems() {
        return problems;
    }
}
