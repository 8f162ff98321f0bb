package io.ycsbdrill.rundir;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The complete lines of a file, and whether something follows the last line end. A value without its line end may have been
 * cut in the middle of a number, so it is never used.
 */
public record TextFile(String name, List<String> lines, boolean cutOff) {

    /** Reports a cut-off last line of a file whose damage makes no run invalid. */
    public void noteCutOff(List<Problem> problems) {
        if (cutOff) {
            problems.add(new Problem(
                    name, lines.size() + 1, Problem.Kind.CUT_OFF, "the last line ends in the middle; it is ignored"));
        }
    }

    /** @throws IllegalArgumentException when bytes of the line are not UTF-8, or stand for a character that was lost before */
    public static void requireText(String line) {
        if (line.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException("it is not UTF-8 text");
        }
    }

    /** With a question mark for each character that was lost before, so that {@link #requireText} takes it. */
    public static String written(String text) {
        return text.replace('\uFFFD', '?');
    }

    /** @throws RunFormatException when it cannot be read, or is none that should be */
    public static TextFile read(Path file) {
        String text;
        try {
            text = new String(InputFile.bytesWithin(file, InputFile.Kind.SERIES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new RunFormatException(file.getFileName() + ": " + FileReason.of(e), e);
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
