package io.ycsbdrill.base;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Collects everything that is wrong with a configuration, so that the user sees it all at once. For one thread. */
public final class Problems {
    private final List<String> found = new ArrayList<>();
    private boolean incomplete;

    /** Adds one problem: key, value, what was expected, next step. The same text is kept once. */
    public void add(String problem) {
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    /** Adds one problem: a file that may hold further keys cannot be read. */
    public void unreadable(String problem) {
        incomplete = true;
        add(problem);
    }

    /** Adds one problem: a key is missing. Ignored after {@link #unreadable}, as that file may have it. */
    public void missing(String problem) {
        if (!incomplete) {
            add(problem);
        }
    }

    /** Whether anything was found. */
    public boolean any() {
        return !found.isEmpty();
    }

    /** The problems found so far, in order. */
    public List<String> all() {
        return List.copyOf(found);
    }

    /**
     * Ends the collection.
     *
     * @param failure makes the exception from at least one problem, for example {@code ConfigException::new}
     */
    public <X extends Exception> void throwIfAny(Function<List<String>, X> failure) throws X {
        if (any()) {
            throw failure.apply(all());
        }
    }
}
