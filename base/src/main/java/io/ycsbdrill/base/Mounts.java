package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mount points that this process sees. Stateless. */
final class Mounts {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    /** One that is the directory, or in it; also of the same file system, which has the same device number. */
    static Optional<Path> in(Path directory) throws IOException {
        if (!Files.exists(TABLE)) {
            return Optional.empty();
        }
        // The kernel's bytes, decoded as Path does it for the usual locale of UTF-8.
        return Files.readAllLines(TABLE, StandardCharsets.UTF_8).stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields.length > 4)
                .map(fields -> unescaped(fields[4]))
                .filter(point -> point.startsWith("/"))
                .map(Path::of)
                .filter(point -> point.startsWith(directory))
                .findFirst();
    }

    private static String unescaped(String field) {
        return ESCAPED.matcher(field)
                .replaceAll(
                        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }
}
