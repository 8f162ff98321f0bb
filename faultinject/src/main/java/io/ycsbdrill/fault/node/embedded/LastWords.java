package io.ycsbdrill.fault.node.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The end of a message about a node: the last lines that matter of its logs, and where the rest is. Stateless. */
final class LastWords {
    private static final int LINES = 6;
    private static final int TAIL_BYTES = 64 << 10;

    private LastWords() {}

    static String of(NodeFiles files) {
        List<String> lines = new ArrayList<>();
        for (Path file : List.of(files.console(), files.log())) {
            List<String> tail = tail(file);
            List<String> telling = tail.stream()
                    .filter(l -> l.contains("Exception") || l.contains("SEVERE") || l.contains("rror"))
                    .filter(l -> !l.startsWith("\tat "))
                    .toList();
            lines.addAll(last(telling.isEmpty() ? tail : telling, LINES / 2));
        }
        return (lines.isEmpty() ? "; it has logged nothing" : "; it last logged:\n  " + String.join("\n  ", lines))
                + "\n  full log: " + files.log() + " and " + files.console().getFileName();
    }

    /** The last lines of a log as they are, at most {@value #TAIL_BYTES} bytes of them; empty when it cannot be read. */
    static String tail(Path file, int lines) {
        return String.join(
                "", last(tail(file), lines).stream().map(l -> l + "\n").toList());
    }

    private static List<String> last(List<String> lines, int count) {
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    private static List<String> tail(Path file) {
        try {
            byte[] all = Files.readAllBytes(file);
            int start = Math.max(0, all.length - TAIL_BYTES);
            return new String(all, start, all.length - start, StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.isBlank())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
