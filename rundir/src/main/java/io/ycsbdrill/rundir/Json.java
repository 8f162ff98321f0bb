package io.ycsbdrill.rundir;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import java.io.IOException;
import java.nio.file.Path;

/** The JSON of run directories, read and written; fields that a record does not know do no harm. Thread-safe. */
public final class Json {
    public static final ObjectMapper READER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new Jdk8Module())
            .build();

    private Json() {}

    /**
     * A document of a directory that somebody else may have made.
     *
     * @throws JsonProcessingException when it is no JSON
     * @throws IOException when it cannot be read; its message does not name the file
     */
    public static JsonNode read(Path file) throws IOException {
        return READER.readTree(InputFile.bytesWithin(file, InputFile.Kind.DOCUMENT));
    }

    /**
     * A document with a schema, as its record.
     *
     * @throws IOException naming the file, when it is not there, damaged or of another schema
     */
    public static <T> T read(Path file, int schema, Class<T> type) throws IOException {
        try {
            JsonNode json = read(file);
            if (json.path("schema").asInt() != schema) {
                throw new IOException(
                        file + " has schema " + json.path("schema").asText("none") + "; this version reads " + schema);
            }
            return READER.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        }
    }

    /** Writes a record for people, too, replacing the file as a whole. */
    public static void write(Path file, Object record) throws IOException {
        AtomicFile.write(file, READER.writerWithDefaultPrettyPrinter().writeValueAsString(record) + "\n");
    }

    /** A record or a node on one line. */
    public static String text(Object value) {
        return Io.get("writing to memory failed", () -> READER.writeValueAsString(value));
    }
}
