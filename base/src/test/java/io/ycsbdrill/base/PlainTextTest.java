package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlainTextTest {
    @Test
    void whatWouldTakeOverATerminalIsWrittenOut() {
        assertThat(PlainText.of("a\u001b[2J\u0007\u007f\u009b\u202e\u2066\u200b\rb"))
                .isEqualTo("a\\u001b[2J\\u0007\\u007f\\u009b\\u202e\\u2066\\u200b\\u000db");
        assertThat(PlainText.of("two\n\tlines, ü × …")).isEqualTo("two\n\tlines, ü × …");
        assertThat(PlainText.line("a\nerror: forged")).isEqualTo("a\\u000aerror: forged");
    }

    @Test
    void aLineIsBoundedAndSaysByHowMuch() {
        assertThat(PlainText.bounded("x".repeat(100_000)))
                .hasSizeLessThan(PlainText.LONGEST + 50)
                .endsWith("… (98,000 more characters)");
        assertThat(PlainText.bounded("short")).isEqualTo("short");
    }

    @Test
    void everyWayToPrintIsPlainAndDrawingMayReturn() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PlainStream stream = PlainStream.of(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        stream.println("\u001b1");
        stream.print((Object) "\u001b2");
        stream.printf("%s", "\u001b3");
        stream.append("\u001b4");
        stream.println('\u001b');
        stream.println(new char[] {'\u001b'});
        stream.drawing().print("\r\u001b5");

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .doesNotContain("\u001b")
                .contains("\\u001b5", "\r");
        assertThat(PlainStream.of(stream)).isSameAs(stream);
    }

    @Test
    void textsInJsonAreShownAsTheyAreElsewhere() {
        assertThat(PlainText.inJson("{\n\"a\": \"\\u001b \u202e \\\\u001b \\n \\u00e4 \u2028\"}"))
                .isEqualTo("{\n\"a\": \"\\\\u001b \\\\u202e \\\\u001b \\n \\u00e4 \\\\u2028\"}");
    }

    @Test
    void aSecretOfThisProcessIsNotPrintedWhoeverSaysIt() {
        Secrets.know("Known-to-PlainTextTest");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        PlainStream stream = PlainStream.of(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        new IllegalStateException("denied: Known-to-PlainTextTest").printStackTrace(stream);

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("denied: ***")
                .doesNotContain("Known-to");
    }
}
