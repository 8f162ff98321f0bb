package io.ycsbdrill.client.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.UncheckedIOException;

/** Writes a {@link RunSpec} as one line of JSON for another process, complete, with its passwords, and reads it back. */
public final class RunSpecText {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule())
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private RunSpecText() {}

    /** The line. */
    public static String write(RunSpec spec) {
        try {
            return JSON.writeValueAsString(spec);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a run cannot be written as text: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The run of which {@link #write} has made this line.
     *
     * @throws IllegalArgumentException when the line is not one of {@link #write}
     */
    public static RunSpec read(String line) {
        try {
            return JSON.readValue(line, RunSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is not a run that was recorded for another process", e);
        }
    }
}
