package io.ycsbdrill.binding.rest.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.CharsetUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A request as it is put together; one object serves all requests of a thread, one after the other. Path, headers and body
 * are written as bytes at once, in this order: {@code path}, {@code segment} and {@code query} first, then {@code header},
 * then the body. Owned by one thread.
 */
public final class Request {
    /** Values that follow each other belong to a template, which has its own text between them. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder().rootValueSeparator((String) null).build();

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private final ByteBuf path = Unpooled.buffer(256);
    private final ByteBuf headers = Unpooled.buffer(256);
    private final ByteArrayBuilder body = new ByteArrayBuilder(2048);
    private JsonGenerator json;
    private String method;
    private boolean change;
    private boolean hasQuery;
    private boolean hasBody;

    /** Starts a new request. */
    public Request begin(String method, boolean change) {
        this.method = method;
        this.change = change;
        hasQuery = false;
        hasBody = false;
        json = null;
        path.clear();
        headers.clear();
        body.reset();
        return this;
    }

    /** Whether the request may change data. */
    boolean isChange() {
        return change;
    }

    /** Adds a part of the path as it is: ASCII, already percent-encoded. */
    public Request path(String literal) {
        path.writeCharSequence(literal, CharsetUtil.US_ASCII);
        return this;
    }

    /** Adds a slash and a part of the path; what is not a letter, digit or one of {@code -._~} is percent-encoded as UTF-8. */
    public Request segment(String text) {
        path.writeByte('/');
        encoded(path, text);
        return this;
    }

    /** As {@link #segment}, with dots percent-encoded, too: for servers that take what follows one for the name of a format. */
    public Request segmentWithoutDots(String text) {
        path.writeByte('/');
        int from = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
            encoded(path, text.substring(from, dot));
            path("%2E");
            from = dot + 1;
        }
        encoded(path, from == 0 ? text : text.substring(from));
        return this;
    }

    /** Adds a parameter of the query; the name as it is, the value percent-encoded. */
    public Request query(String name, String value) {
        path.writeByte(hasQuery ? '&' : '?');
        hasQuery = true;
        path.writeCharSequence(name, CharsetUtil.US_ASCII);
        path.writeByte('=');
        encoded(path, value);
        return this;
    }

    /** Adds percent-encoded text, without a slash. */
    public Request encoded(String text) {
        encoded(path, text);
        return this;
    }

    /**
     * Adds a header of this request alone.
     *
     * @throws IllegalArgumentException when the value has a line end
     */
    public Request header(String name, String value) {
        if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("header " + name + " contains a line break");
        }
        headers.writeCharSequence(name, CharsetUtil.US_ASCII);
        headers.writeCharSequence(": ", CharsetUtil.US_ASCII);
        headers.writeCharSequence(value, CharsetUtil.UTF_8);
        headers.writeCharSequence("\r\n", CharsetUtil.US_ASCII);
        return this;
    }

    /** The body, of type {@code application/json}; it ends with the request, and need not be closed. */
    public JsonGenerator json() throws IOException {
        return json("application/json");
    }

    /**
     * As {@link #json()}, for a server that has a name of its own for JSON.
     *
     * @param type of the body
     */
    public JsonGenerator json(String type) throws IOException {
        header("Content-Type", type);
        hasBody = true;
        json = JSON.createGenerator(body);
        return json;
    }

    /** Sets a body that exists already. */
    Request body(String type, byte[] content) {
        header("Content-Type", type);
        hasBody = true;
        body.write(content, 0, content.length);
        return this;
    }

    /**
     * Writes the entire request, as HTTP/1.1.
     *
     * @param prefix put before the path
     * @param fixed header lines that go with every request of the connection
     */
    void writeTo(ByteBuf out, byte[] prefix, byte[] fixed) {
        finish();
        out.writeCharSequence(method, CharsetUtil.US_ASCII);
        out.writeByte(' ');
        out.writeBytes(prefix);
        out.writeBytes(path, path.readerIndex(), path.readableBytes());
        out.writeCharSequence(" HTTP/1.1\r\n", CharsetUtil.US_ASCII);
        out.writeBytes(fixed);
        out.writeBytes(headers, headers.readerIndex(), headers.readableBytes());
        if (hasBody) {
            byte[] content = body.toByteArray();
            out.writeCharSequence("Content-Length: ", CharsetUtil.US_ASCII);
            out.writeCharSequence(Integer.toString(content.length), CharsetUtil.US_ASCII);
            out.writeCharSequence("\r\n\r\n", CharsetUtil.US_ASCII);
            out.writeBytes(content);
        } else {
            out.writeCharSequence(method.equals("GET") ? "\r\n" : "Content-Length: 0\r\n\r\n", CharsetUtil.US_ASCII);
        }
    }

    private void finish() {
        if (json != null) {
            try {
                json.close();
            } catch (IOException e) {
                throw new IllegalStateException("the body of " + this + " is incomplete", e);
            }
        }
    }

    private static void encoded(ByteBuf out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                encoded(out, c);
            } else {
                int point = text.codePointAt(i);
                for (byte b : new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8)) {
                    encoded(out, b & 0xFF);
                }
                i += Character.charCount(point) - 1;
            }
        }
    }

    private static void encoded(ByteBuf out, int b) {
        if (b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b >= '0' && b <= '9'
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~') {
            out.writeByte(b);
        } else {
            out.writeByte('%').writeByte(HEX[b >> 4]).writeByte(HEX[b & 15]);
        }
    }

    /** Method and path. */
    @Override
    public String toString() {
        return method + " " + path.toString(CharsetUtil.US_ASCII);
    }
}
