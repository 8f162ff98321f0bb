package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The JSON reader that this module shares. Thread-safe. */
public final class Json {
    public static final ObjectMapper READER = new ObjectMapper();

    private Json() {}
}
