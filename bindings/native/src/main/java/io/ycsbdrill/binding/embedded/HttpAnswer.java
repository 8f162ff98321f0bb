package io.ycsbdrill.binding.embedded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An HTTP reply: a status and a JSON text, which may be empty. */
record HttpAnswer(int status, byte[] body) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] NOTHING = {};

    /** Writes a JSON text. */
    interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    static HttpAnswer of(int status) {
        return new HttpAnswer(status, NOTHING);
    }

    static HttpAnswer of(int status, Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2048);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new HttpAnswer(status, bytes.toByteArray());
    }

    static HttpAnswer error(int status, String text) {
        return of(status, out -> {
            out.writeStartObject();
            out.writeStringField("error", text);
            out.writeEndObject();
        });
    }
}
