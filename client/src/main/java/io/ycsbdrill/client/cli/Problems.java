package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import java.util.ArrayList;
import java.util.List;

/** Collects everything that is wrong with a configuration, so that the user hears it at once. For one thread. */
public final class Problems {
    private final List<String> found = new ArrayList<>();
    private boolean incomplete;

    /** Adds one problem: key, value, what was expected, next step. Once is enough, however often a value is read. */
    public void add(String problem) {
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    /** Adds one problem: a file of properties cannot be read. */
    void unread(String problem) {
        incomplete = true;
        add(problem);
    }

    /** Adds one problem: a property is not there. Says nothing after {@link #unread}, as that file may have it. */
    void absent(String problem) {
        if (!incomplete) {
            add(problem);
        }
    }

    /** What was found so far. */
    public List<String> all() {
        return List.copyOf(found);
    }

    /** @throws ConfigException with all problems when there is at least one */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new ConfigException(found);
        }
    }
}
