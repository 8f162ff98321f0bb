package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.os.LogTail;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The end of a message about a node: the last lines of its logs that name an error, and their paths. Stateless. */
final class LastWords {
    private static final int LINES = 3;

    static String of(NodeFiles files) {
        List<String> lines = new ArrayList<>();
        for (Path file : List.of(files.console(), files.log())) {
            List<String> errors = LogTail.last(file, Integer.MAX_VALUE).stream()
                    .filter(l -> l.contains("Exception") || l.contains("SEVERE") || l.contains("rror"))
                    .filter(l -> !l.startsWith("\tat "))
                    .toList();
            lines.addAll(
                    errors.isEmpty()
                            ? LogTail.last(file, LINES)
                            : errors.subList(Math.max(0, errors.size() - LINES), errors.size()));
        }
        return (lines.isEmpty() ? "; it has logged nothing" : "; it last logged:\n  " + String.join("\n  ", lines))
                + "\n  full log: " + files.log() + " and " + files.console().getFileName();
    }
}
