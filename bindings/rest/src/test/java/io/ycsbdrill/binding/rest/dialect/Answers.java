package io.ycsbdrill.binding.rest.dialect;

import io.ycsbdrill.binding.rest.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** What a {@link ScriptedServer} can do with a request: answer it well, badly or not at all. */
public final class Answers {
    private Answers() {}

    /** @param headers name and value in turn */
    static ScriptedServer.Answer json(int status, String body, String... headers) {
        return whole(status, "application/json", bytes(body), headers);
    }

    /** @param headers name and value in turn */
    public static ScriptedServer.Answer text(int status, String body, String... headers) {
        return whole(status, "text/plain", bytes(body), headers);
    }

    /** A status without a body. */
    static ScriptedServer.Answer status(int status, String... headers) {
        return (connection, in, out) -> {
            // 204 must not have a length.
            out.write(bytes(head(status, headers) + (status == 204 ? "\r\n" : "Content-Length: 0\r\n\r\n")));
            return true;
        };
    }

    static ScriptedServer.Answer gzip(int status, String body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return whole(status, "application/json", packed.toByteArray(), "Content-Encoding", "gzip");
    }

    /** In chunks of three bytes, each of which goes out by itself. */
    static ScriptedServer.Answer chunked(int status, String body) {
        byte[] content = bytes(body);
        return (connection, in, out) -> {
            out.write(bytes(head(status, "Content-Type", "application/json", "Transfer-Encoding", "chunked") + "\r\n"));
            for (int i = 0; i < content.length; i += 3) {
                byte[] chunk = Arrays.copyOfRange(content, i, Math.min(content.length, i + 3));
                out.write(bytes(Integer.toHexString(chunk.length) + "\r\n"));
                out.write(chunk);
                out.write(bytes("\r\n"));
                out.flush();
            }
            out.write(bytes("0\r\n\r\n"));
            return true;
        };
    }

    /** Nothing, until the client gives up. */
    static ScriptedServer.Answer silence() {
        return (connection, in, out) -> untilTheClientLeaves(in);
    }

    /** The beginning of an answer, and then nothing, until the client gives up. */
    static ScriptedServer.Answer slowBody(String body) {
        return (connection, in, out) -> {
            beginning(out, body);
            return untilTheClientLeaves(in);
        };
    }

    /** The beginning of an answer; then the server's half of the connection is closed, and it goes on to listen. */
    static ScriptedServer.Answer halfClosed(String body) {
        return (connection, in, out) -> {
            beginning(out, body);
            connection.shutdownOutput();
            return untilTheClientLeaves(in);
        };
    }

    /** The connection is reset in place of an answer. */
    static ScriptedServer.Answer reset() {
        return (connection, in, out) -> {
            connection.setSoLinger(true, 0);
            return false;
        };
    }

    private static void beginning(OutputStream out, String body) throws IOException {
        out.write(bytes(head(200, "Content-Type", "application/json")
                + "Content-Length: "
                + bytes(body).length
                + "\r\n\r\n"
                + body.substring(0, body.length() / 2)));
        out.flush();
    }

    private static boolean untilTheClientLeaves(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // Whatever comes is of no interest.
        }
        return false;
    }

    private static ScriptedServer.Answer whole(int status, String type, byte[] body, String... headers) {
        return (connection, in, out) -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(bytes(head(status, headers)));
            all.writeBytes(bytes("Content-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n"));
            all.writeBytes(body);
            out.write(all.toByteArray());
            return true;
        };
    }

    private static String head(int status, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " As told\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        return head.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
