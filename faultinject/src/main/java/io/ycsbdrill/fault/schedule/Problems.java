package io.ycsbdrill.fault.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects everything that is wrong with a drill file, so that the user sees it all at once. For one thread. */
final class Problems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();

    private record Problem(int line, String text) {}

    Problems(String file) {
        this.file = file;
    }

    void add(int line, String text) {
        found.add(new Problem(line, text));
    }

    boolean any() {
        return !found.isEmpty();
    }

    void throwIfAny() throws DrillFileException {
        if (any()) {
            throw new DrillFileException(found.stream()
                    .sorted(Comparator.comparingInt(Problem::line))
                    .map(p -> file + ":" + p.line() + ": " + p.text())
                    .toList());
        }
    }
}
