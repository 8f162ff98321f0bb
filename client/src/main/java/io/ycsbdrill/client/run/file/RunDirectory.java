package io.ycsbdrill.client.run.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** The files of a run. Stateless beyond its path; whole files appear at once or not at all. */
public final class RunDirectory {
    public static final int SCHEMA = RunFile.SCHEMA;
    public static final ObjectMapper JSON = Json.READER;

    /** The keys of texts in which a server, a driver or a command may have its say. */
    private static final Set<String> PROSE =
            Set.of("text", "reason", "reasons", "problems", "note", "notes", "examples");

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
        try {
            if (!Io.list(path).isEmpty()) {
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
        Path made = Io.get(
                "run directory " + path + " cannot be made",
                (text, e) -> new ConfigException(text),
                () -> Files.createDirectories(path));
        return new RunDirectory(made);
    }

    public Path path() {
        return path;
    }

    /** A new file that grows during the run; what somebody else has put in its place, such as a link, is never written to. */
    public BufferedWriter stream(String name) throws IOException {
        return Files.newBufferedWriter(path.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** A table that grows during the run, as {@link #stream}. */
    public TableWriter table(RunTable table) throws IOException {
        return new TableWriter(table, stream(table.file()));
    }

    /** A whole file, replaced at once. */
    public void write(String name, String content) {
        Io.run("writing " + path.resolve(name) + " failed", () -> AtomicFile.write(path.resolve(name), content));
    }

    /** The same of a document, without secrets in what servers, drivers and commands have said. */
    public void write(String name, JsonNode json) {
        Io.run("writing " + path.resolve(name) + " failed", () -> {
            JsonNode masked = json.deepCopy();
            mask(masked, false);
            write(name, JSON.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(masked) + "\n");
        });
    }

    private static void mask(JsonNode node, boolean prose) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> {
                boolean inside = PROSE.contains(entry.getKey());
                if (inside && entry.getValue().isTextual()) {
                    entry.setValue(
                            TextNode.valueOf(Secrets.inText(entry.getValue().asText())));
                } else {
                    mask(entry.getValue(), inside);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (prose && array.get(i).isTextual()) {
                    array.set(i, Secrets.inText(array.get(i).asText()));
                } else {
                    mask(array.get(i), false);
                }
            }
        }
    }
}
