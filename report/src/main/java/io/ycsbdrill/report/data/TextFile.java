package io.ycsbdrill.report.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The complete lines of a file, and whether something follows the last line end. A value without its line end may have been
 * cut in the middle of a number, so it is never used.
 */
public record TextFile(String name, List<String> lines, boolean cutOff) {

    /** Reports a cut-off last line of a file whose damage makes no run invalid. */
    void noteCutOff(List<Problem> problems) {
        if (cutOff) {
            problems.add(new Problem(
                    name, lines.size() + 1, Problem.Kind.CUT_OFF, "the last line ends in the middle; it is ignored"));
        }
    }

    public static TextFile read(Path file) {
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end > start && text.charAt(end - 1) == '\r' ? end - 1 : end));
            start = end + 1;
        }
        return new TextFile(file.getFileName().toString(), lines, start < text.length());
    }
}
