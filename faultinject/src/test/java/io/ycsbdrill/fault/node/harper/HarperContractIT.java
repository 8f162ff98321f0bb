package io.ycsbdrill.fault.node.harper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on one real server. */
@Tag("engine")
class HarperContractIT extends NodeControllerContract {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        TestedHarper.home();
        cluster = new HarperEngine()
                .up(folder.resolve("c"), Map.of(), Lifetime.OWNED, line -> System.out.println("up: " + line));
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(folder.resolve("c")).doesNotExist();
        }
    }

    @Override
    protected NodeController controller() {
        return cluster;
    }

    @Override
    protected boolean alwaysWaitsForCheckpoint() {
        return false;
    }

    @Override
    protected boolean hasPeers() {
        return false;
    }

    @Test
    void itsPasswordIsInOneFileOfTheOwnerOnly() throws IOException {
        Path file = folder.resolve("c/password");
        String password = Files.readString(file);
        assertThat(password).hasSizeGreaterThan(20);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(OWNER);
        assertThat(cluster.descriptor().toString()).doesNotContain(password);
        assertThat(String.join(" ", ProcFs.arguments(pid()))).doesNotContain(password);

        try (Stream<Path> files = Files.walk(folder.resolve("c"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(each -> !each.equals(file))
                            .filter(each -> contains(each, password)))
                    .isEmpty();
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void itListensOnTheLoopbackInterfaceOnly() throws IOException {
        List<String> own = Stream.of("tcp", "tcp6")
                .flatMap(table -> listening(pid(), table))
                .toList();

        assertThat(own).hasSizeGreaterThanOrEqualTo(4).allMatch(address -> address.startsWith("0100007F:"));
    }

    private static long pid() {
        return cluster.status().get(0).pid().orElseThrow();
    }

    /** The local addresses, as the kernel writes them, on which the process listens. */
    private static Stream<String> listening(long pid, String table) {
        try {
            String descriptors = ProgramOutput.of(List.of("ls", "-l", "/proc/" + pid + "/fd"))
                    .text();
            Set<String> inodes = Pattern.compile("socket:\\[(\\d+)]")
                    .matcher(descriptors)
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toSet());
            return Files.readAllLines(Path.of("/proc/net", table)).stream()
                    .skip(1)
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words[3].equals("0A") && inodes.contains(words[9]))
                    .map(words -> words[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
