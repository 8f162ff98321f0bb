package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** With umask 000 they were written so. */
    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw-r--rw-"})
    void whatIsActedUponIsReadOnlyWhenNobodyElseCanHaveWrittenIt(String mode) throws IOException {
        Path file = Files.writeString(directory.resolve("heal.json"), "{}");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatCode(() -> InputFile.requireOwn(file)).doesNotThrowAnyException();

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> InputFile.requireOwn(file))
                .hasMessageContaining("others can write it")
                .hasMessageContaining("chmod go-w " + file);
        assertThatThrownBy(() -> InputFile.requireOwn(link)).hasMessageContaining("it is a link");
    }
}
