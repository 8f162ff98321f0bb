package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PlainStreamTest {
    private static final String SECRET = "Zq7-of-the-stream";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PlainStream stream = PlainStream.of(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    @BeforeAll
    static void know() {
        Secrets.know(SECRET);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** As those of drivers, whose handlers write bytes to {@code System.err}. */
    @Test
    void aRecordOfJavaUtilLoggingHasNoSecretAndNoControlCharacter() {
        StreamHandler handler = new StreamHandler(stream, new SimpleFormatter());

        handler.publish(new LogRecord(Level.WARNING, "denied \u001b[2J: " + SECRET));
        handler.flush();

        assertThat(printed()).contains("denied \\u001b[2J: ***\n").doesNotContain(SECRET);
    }

    @Test
    void aSecretThatComesInPiecesIsMasked() throws Exception {
        Writer writer = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
        for (char c : ("a " + SECRET + " é\nb " + SECRET).toCharArray()) {
            writer.write(c);
        }
        writer.flush();
        for (byte b : SECRET.getBytes(StandardCharsets.UTF_8)) {
            stream.write(b);
        }
        assertThat(printed()).isEqualTo("a *** é\nb ***");
        stream.println(1);

        assertThat(printed()).isEqualTo("a *** é\nb ******1\n");
    }

    @Test
    void whatIsPrintedInOneWayOrTheOtherComesInItsOrder() {
        PrintWriter writer = new PrintWriter(stream, true);
        stream.print("1 ");
        stream.write('2');
        stream.printf(" %d %s%n", 3, 4L);
        writer.println(5);
        new Exception(SECRET).printStackTrace(stream);

        assertThat(printed())
                .startsWith("1 2 3 4\n5\njava.lang.Exception: ***\n")
                .doesNotContain(SECRET);
    }

    @Test
    void bytesOfAnotherCharacterSetStayAsTheyAre() {
        stream.write(new byte[] {'a', (byte) 0xe9, '\n'}, 0, 3);

        assertThat(bytes.toByteArray()).isEqualTo(new byte[] {'a', (byte) 0xe9, '\n'});
    }
}
