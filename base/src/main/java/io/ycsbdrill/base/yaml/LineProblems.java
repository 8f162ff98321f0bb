package io.ycsbdrill.base.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Collects everything that is wrong with a file, each with its line, so that the user sees it all at once. For one thread. */
public final class LineProblems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();

    private record Problem(int line, String text) {}

    /** @param file its name, as in messages */
    public LineProblems(String file) {
        this.file = file;
    }

    /** Adds one problem: key, value, what was expected. Lines are counted from 1. */
    public void add(int line, String text) {
        found.add(new Problem(line, text));
    }

    /** Whether anything was found. */
    public boolean any() {
        return !found.isEmpty();
    }

    /**
     * Ends the collection.
     *
     * @param failure makes the exception from all problems, in order of lines, each with file and line
     */
    public <X extends Exception> void throwIfAny(Function<List<String>, X> failure) throws X {
        if (any()) {
            throw failure.apply(found.stream()
                    .sorted(Comparator.comparingInt(Problem::line))
                    .map(p -> file + ":" + p.line() + ": " + p.text())
                    .toList());
        }
    }
}
