package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class InputFileTest {
    @TempDir
    private Path directory;

    private void refused(Path file, String reason) {
        assertThatThrownBy(() -> InputFile.text(file, InputFile.Kind.SETTINGS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void onlyRegularFilesAreRead() {
        refused(Path.of("/dev/zero"), "a pipe, a device or a socket");
        refused(directory, "it is a directory");
    }

    @Test
    void bytesThatAreNotTextAreNamed() throws IOException {
        refused(Files.write(directory.resolve("f"), new byte[] {'a', 'b', (byte) 0xe9, 'c'}), "byte 3 is 0xE9");
    }

    @Test
    void sizeAndLinesAreBounded() throws IOException {
        refused(
                Files.writeString(directory.resolve("f"), "#" + "x".repeat(10 << 20)),
                "it has 11 MiB, and at most 1 MiB");
        refused(Files.writeString(directory.resolve("g"), "a\n#" + "x".repeat(70_000)), "line 2 has 70,001 characters");
    }

    @Test
    void linksOutOfADirectoryAreNotFollowedAndThoseThatTheUserNamesAre() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "root:*:");
        Path run = Files.createDirectory(directory.resolve("run"));
        Path link = Files.createSymbolicLink(run.resolve("windows.csv"), secret);

        assertThatThrownBy(() -> InputFile.bytesWithin(link, InputFile.Kind.SERIES))
                .hasMessageContaining("outside of its directory")
                .hasMessageNotContaining("root");
        assertThat(InputFile.text(link, InputFile.Kind.SETTINGS)).isEqualTo("root:*:");
    }
}
