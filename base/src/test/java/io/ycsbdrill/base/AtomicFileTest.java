package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    private Path directory;

    @Test
    void contentIsReplacedAndNoDraftIsLeft() throws IOException {
        Path file = directory.resolve("a/b.txt");
        AtomicFile.write(file, "old");

        AtomicFile.write(file, "new");

        assertThat(file).hasContent("new");
        assertThat(entries(file.getParent())).isEqualTo(1);
    }

    @Test
    void whenTheFileCannotBeReplacedTheOldOneStaysAndNoDraftIsLeft() throws IOException {
        Path occupied = directory.resolve("occupied");
        Files.createDirectories(occupied.resolve("inside"));

        assertThatThrownBy(() -> AtomicFile.write(occupied, "new")).isInstanceOf(IOException.class);

        assertThat(occupied.resolve("inside")).isDirectory();
        assertThat(entries(directory)).isEqualTo(1);
    }

    /** The directory may be another user's, who knows how drafts are named. */
    @Test
    void aLinkInThePlaceOfADraftIsNotFollowed() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "theirs");
        Path file = directory.resolve("page");
        Path draft = directory.resolve(".page." + ProcessHandle.current().pid() + "-"
                + Thread.currentThread().getId() + ".draft");
        for (boolean forOwner : List.of(true, false)) {
            Files.createSymbolicLink(draft, victim);

            if (forOwner) {
                AtomicFile.writePrivate(file, new byte[] {'x'});
            } else {
                AtomicFile.write(file, "x");
            }

            assertThat(victim).hasContent("theirs");
            assertThat(file).hasContent("x");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aPrivateFileIsItsOwnersAloneFromItsFirstByteOn() throws IOException {
        Path file = Files.writeString(directory.resolve("heal.json"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        AtomicFile.writePrivate(file, "new".getBytes(StandardCharsets.UTF_8));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void threadsThatWriteTheSameFileAtOnceDoNotTakeEachOthersDrafts() throws Exception {
        Path file = directory.resolve("shared");
        List<String> contents = List.of("a".repeat(100_000), "b".repeat(100_000));

        List<CompletableFuture<Void>> writers = contents.stream()
                .map(content -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 200; i++) {
                        try {
                            AtomicFile.write(file, content);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                }))
                .toList();

        for (CompletableFuture<Void> writer : writers) {
            writer.get();
        }
        assertThat(contents).contains(Files.readString(file));
        assertThat(entries(directory)).isEqualTo(1);
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.count();
        }
    }
}
