package io.ycsbdrill.binding.rest.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * A server's complete reply. Immutable.
 *
 * @param code the HTTP status
 * @param headers from name, in any case, to value, or null
 * @param body empty when there is none; not to be changed
 */
public record Reply(int code, UnaryOperator<String> headers, byte[] body) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int SHOWN = 200;

    /** The header's value; null when there is none. */
    public String header(String name) {
        return headers.apply(name);
    }

    /** Whether the status is 200 to 299. */
    public boolean isSuccess() {
        return code >= 200 && code < 300;
    }

    /** A parser of the body, before its first token; the caller closes it. */
    public JsonParser json() throws IOException {
        return JSON.createParser(body);
    }

    /** The status and the beginning of the body, on one line, for display. */
    public String line() {
        String text = new String(body, 0, Math.min(body.length, SHOWN), StandardCharsets.UTF_8)
                .replaceAll("\\s+", " ")
                .strip();
        return "HTTP " + code + (text.isEmpty() ? "" : ": " + text);
    }
}
