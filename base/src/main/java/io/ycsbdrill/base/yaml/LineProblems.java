package io.ycsbdrill.base.yaml;

import io.ycsbdrill.base.PlainText;
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
        found.add(new Problem(line, PlainText.bounded(PlainText.line(text))));
    }

    /** Whether anything was found. */
    public boolean any() {
        return !found.isEmpty();
    }

    /**
     * Ends the collection.
     *
     * @param failure makes the exception from the problems, in order of lines, each with file and line; of many the first ones, and how
     *     many more there are
     */
    public <X extends Exception> void throwIfAny(Function<List<String>, X> failure) throws X {
        if (any()) {
            List<String> texts = new ArrayList<>(found.stream()
                    .sorted(Comparator.comparingInt(Problem::line))
                    .limit(PlainText.MOST_PROBLEMS)
                    .map(p -> file + ":" + p.line() + ": " + p.text())
                    .toList());
            if (found.size() > texts.size()) {
                texts.add(file + ": and " + (found.size() - texts.size()) + " more problems");
            }
            throw failure.apply(texts);
        }
    }
}
