package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.InputFile;
import java.io.IOException;
import java.nio.file.Path;

/** The JSON reader that this module shares. Thread-safe. */
public final class Json {
    public static final ObjectMapper READER = new ObjectMapper();

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
}
