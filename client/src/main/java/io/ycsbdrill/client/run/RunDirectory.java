package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** The files of a run. Stateless beyond its path; whole files appear at once or not at all. */
public final class RunDirectory {
    static final int SCHEMA = 1;
    public static final ObjectMapper JSON = new ObjectMapper();

    private final Path path;

    private RunDirectory(Path path) {
        this.path = path;
    }

    /** What is wrong with a directory to be made; null when nothing is. Makes nothing. */
    public static String problem(Path path) {
        if (!Files.exists(path)) {
            Path parent = path.toAbsolutePath().getParent();
            while (parent != null && !Files.exists(parent)) {
                parent = parent.getParent();
            }
            return parent != null && Files.isDirectory(parent) && Files.isWritable(parent)
                    ? null
                    : "run directory " + path + " cannot be made: " + parent + " is not a writable directory";
        }
        if (!Files.isDirectory(path)) {
            return "run directory " + path + " exists and is not a directory; give another one with --out";
        }
        try (Stream<Path> entries = Files.list(path)) {
            if (entries.findAny().isPresent()) {
                return "run directory " + path
                        + " is not empty; a run never mixes with another: give a new one with --out";
            }
        } catch (IOException e) {
            return "run directory " + path + " cannot be read: " + FileReason.of(e);
        }
        return Files.isWritable(path) ? null : "run directory " + path + " is not writable";
    }

    /** @throws ConfigException when it cannot be made */
    public static RunDirectory create(Path path) {
        try {
            Files.createDirectories(path);
            return new RunDirectory(path);
        } catch (IOException e) {
            throw new ConfigException("run directory " + path + " cannot be made: " + FileReason.of(e));
        }
    }

    Path path() {
        return path;
    }

    /** A file that grows during the run. */
    public BufferedWriter stream(String name) throws IOException {
        return Files.newBufferedWriter(path.resolve(name));
    }

    /** A whole file, replaced at once. */
    public void write(String name, String content) {
        Path temporary = path.resolve("." + name + ".tmp");
        try {
            Files.writeString(temporary, content);
            replace(temporary, name);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + path.resolve(name) + " failed: " + FileReason.of(e), e);
        }
    }

    public void replace(Path temporary, String name) throws IOException {
        try {
            Files.move(temporary, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, path.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    public void write(String name, JsonNode json) {
        try {
            write(name, JSON.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(json) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + path.resolve(name) + " failed: " + FileReason.of(e), e);
        }
    }
}
