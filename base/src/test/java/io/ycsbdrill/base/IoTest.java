package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoTest {
    @TempDir
    private Path folder;

    @Test
    void whatFailsSaysWhatWasNotPossibleAndWhy() {
        Path file = folder.resolve("state");

        assertThatThrownBy(() -> Io.get(file + " cannot be read", () -> Files.readString(file)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(file + " cannot be read: no such file or directory")
                .hasCauseInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Io.run("it cannot be done", () -> Files.delete(file)))
                .isInstanceOf(UncheckedIOException.class)
                .as("the file that the words do not name")
                .hasMessage("it cannot be done: " + file + ": no such file or directory");
    }

    @Test
    void theCallerChoosesTheException() {
        assertThatThrownBy(() -> Io.get("no", (text, cause) -> new IllegalStateException(text, cause), () -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no: disk full")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void anotherExceptionPassesAsItIs() {
        IllegalArgumentException other = new IllegalArgumentException("another one");

        assertThatThrownBy(() -> Io.run("it cannot be done", () -> {
                    throw other;
                }))
                .isSameAs(other);
    }

    @Test
    void aWriteToMemoryThatFailsHasNoWordsOfItsOwn() {
        assertThatThrownBy(() -> Io.run(() -> {
                    throw new IOException("closed");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("java.io.IOException: closed");
    }

    @Test
    void theOtherValueStandsForWhatCannotBeHad() throws IOException {
        Path file = folder.resolve("state");

        assertThat(Io.or("unknown", () -> Files.readString(file))).isEqualTo("unknown");
        Files.writeString(file, "up");
        assertThat(Io.or("unknown", () -> Files.readString(file))).isEqualTo("up");
    }
}
