package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Archives as a hostile host would make them. */
@EnabledOnOs(OS.LINUX)
class ForeignArchiveTest {
    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private void member(String name, char type, String mode, String link, long declared, String content)
            throws IOException {
        byte[] block = new byte[512];
        put(block, 0, name);
        put(block, 100, mode);
        put(block, 124, String.format("%011o", declared));
        put(block, 148, "        ");
        block[156] = (byte) type;
        put(block, 157, link);
        put(block, 257, "ustar\00000");
        int sum = 0;
        for (byte each : block) {
            sum += each & 0xff;
        }
        put(block, 148, String.format("%06o\0 ", sum));
        archive.write(block);
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        archive.write(Arrays.copyOf(bytes, (bytes.length + 511) / 512 * 512));
    }

    private void file(String name, String content) throws IOException {
        member(name, '0', "0000644", "", content.length(), content);
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private void unpack(ForeignArchive.Bounds bounds) throws IOException {
        archive.write(new byte[1024]);
        new ForeignArchive(new ByteArrayInputStream(archive.toByteArray()), "client-2", bounds).unpackInto(folder);
    }

    private void unpack() throws IOException {
        unpack(new ForeignArchive.Bounds(1 << 20, 100));
    }

    /** Else the merge takes the empty folder for something of another run. */
    @Test
    void ofAnArchiveThatNeverCameNothingIsLeft() {
        for (byte[] nothing : new byte[][] {{}, new byte[100], new byte[1024]}) {
            assertThatThrownBy(
                            () -> new ForeignArchive(new ByteArrayInputStream(nothing), "client-2").unpackInto(folder))
                    .isInstanceOf(IOException.class);
            assertThat(folder).isEmptyDirectory();
        }
    }

    /** The host went away after the first header. */
    @Test
    void ofAnArchiveThatWasCutAfterItsFirstHeaderNothingIsLeft() throws IOException {
        member("client-2/", '5', "0000755", "", 0, "");

        assertThatThrownBy(() -> new ForeignArchive(new ByteArrayInputStream(archive.toByteArray()), "client-2")
                        .unpackInto(folder))
                .hasMessageContaining("ends before its end");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aRunDirectoryArrivesWithoutItsPermissions() throws IOException {
        member("client-2/", '5', "0007777", "", 0, "");
        member("client-2/charts/", '5', "0000777", "", 0, "");
        member("client-2/charts/a.svg", '0', "0006755", "", 3, "abc");

        unpack();

        Path file = folder.resolve("client-2/charts/a.svg");
        assertThat(file).hasContent("abc");
        assertThat(Files.getPosixFilePermissions(file))
                .doesNotContain(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
        assertThat((int) Files.getAttribute(file, "unix:mode") & 07000).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "other/report.html",
        "/etc/planted",
        "client-2/../planted",
        "../planted",
        "client-2/a//b",
        "client-22/x",
        "client-2/./x",
        "''"
    })
    void namesElsewhereAreRefused(String name) throws IOException {
        file(name, "x");

        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class).hasMessageContaining("client-2");

        assertThat(folder.resolve("planted")).doesNotExist();
        assertThat(folder.resolve("other")).doesNotExist();
        assertThat(folder.resolve("client-2")).doesNotExist();
    }

    /** Hard link, link, two kinds of device, FIFO, and what GNU tar calls a file with holes. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "6", "S"})
    void onlyRegularFilesAndDirectoriesAreTaken(char type) throws IOException {
        member("client-2/x", type, "0000644", "/etc/passwd", 0, "");

        assertThatThrownBy(this::unpack).hasMessageContaining("neither a regular file nor a directory");

        assertThat(folder.resolve("client-2")).doesNotExist();
    }

    @Test
    void nothingIsReplaced() throws IOException {
        file("client-2/x", "1");
        file("client-2/x", "2");
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class);
        assertThat(folder.resolve("client-2/x")).hasContent("1");

        archive.reset();
        file("client-2/x", "3");
        assertThatThrownBy(this::unpack).isInstanceOf(IOException.class);
        assertThat(folder.resolve("client-2/x")).hasContent("1");
    }

    @Test
    void moreMembersAndBytesThanARunHasAreRefused() throws IOException {
        member("client-2/huge", '0', "0000644", "", 07777777777L, "x");
        assertThatThrownBy(this::unpack).hasMessageContaining("more than 1048576 bytes");
        assertThat(folder.resolve("client-2/huge")).doesNotExist();

        archive.reset();
        for (int i = 0; i < 4; i++) {
            file("client-2/" + i, "");
        }
        assertThatThrownBy(() -> unpack(new ForeignArchive.Bounds(100, 3))).hasMessageContaining("more than 3 members");
    }

    @Test
    void longNamesOfBothKindsAreRead() throws IOException {
        String name = "client-2/" + "n".repeat(120);
        member("././@LongLink", 'L', "0000644", "", name.length() + 1, name + "\0");
        file("client-2/short", "gnu");
        Path source = Files.writeString(folder.resolve("source"), "pax");
        new TarWriter(archive).file(name + "2", source);

        unpack();

        assertThat(folder.resolve(name)).hasContent("gnu");
        assertThat(folder.resolve(name + "2")).hasContent("pax");
    }

    @Test
    void anArchiveThatIsCutOffIsAnError() throws IOException {
        member("client-2/x", '0', "0000644", "", 5000, "x");
        assertThatThrownBy(() -> new ForeignArchive(new ByteArrayInputStream(archive.toByteArray()), "client-2")
                        .unpackInto(folder))
                .hasMessageContaining("ends within client-2/x");
    }
}
