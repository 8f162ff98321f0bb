package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
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

    /** The name of a class says nothing to users, nor do the words in which a parser says that its text came from a file. */
    @Test
    void aDamagedFileIsSaidToBeSoInWords() throws IOException {
        class Damaged extends IOException {
            private static final long serialVersionUID = 1L;

            Damaged() {
                super(
                        "Unexpected character ('x')\n at [Source: (File); line: 1, column: 2] (through reference chain: A[0])");
            }
        }
        Path bytes = Files.write(folder.resolve("state"), new byte[] {(byte) 0xff});

        assertThat(FileReason.of(new Damaged())).isEqualTo("Unexpected character ('x')");
        assertThatThrownBy(() -> Io.get("it cannot be read", () -> Files.readString(bytes)))
                .hasMessage("it cannot be read: it is not UTF-8 text");
        assertThat(FileReason.of(new FileSystemException(bytes.toString())))
                .as("where nothing but the file is known")
                .startsWith("java.nio.file.FileSystemException: ");
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
