package io.ycsbdrill.experiment.spec;

import java.util.List;

/** The file of an experiment or a suite is invalid; the message has one line per problem. */
public final class ExperimentFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** @param problems each with file, line, key, value and what is allowed */
    public ExperimentFileException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each with file, line, key, value and what is allowed; in order of lines. */
    public List<String> problems() {
        return problems;
    }
}
