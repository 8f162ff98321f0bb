package io.ycsbdrill.fault.node.haproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.OptionReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@EnabledOnOs(OS.LINUX)
class HaproxyHomeTest {
    @TempDir
    Path folder;

    @Test
    void pathComesBeforeUnpackedTreesAndTheNewestOfTheseFirst() throws IOException {
        Path cached = program("cache/ycsb-drill/galera/10.11.19/usr/sbin/haproxy");
        program("cache/ycsb-drill/galera/10.11.9/usr/sbin/haproxy");
        Map<String, String> cache =
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
        assertThat(find("", cache, List.of())).isEqualTo(cached);

        Path named = program("galera/usr/sbin/haproxy");
        assertThat(find("", with(cache, "GALERA_HOME", folder.resolve("galera")), List.of()))
                .isEqualTo(named);

        Path given = program("tree/usr/sbin/haproxy");
        assertThat(find("", cache, List.of(folder.resolve("tree")))).isEqualTo(given);

        Path onPath = program("path/haproxy");
        assertThat(find("", with(cache, "PATH", folder.resolve("path")), List.of(folder.resolve("tree"))))
                .isEqualTo(onPath);
    }

    @Test
    void placeThatWasNamedIsTheOnlyOneLookedAt() throws IOException {
        Path program = program("a/sbin/haproxy");
        Map<String, String> path =
                Map.of("PATH", program("path/haproxy").getParent().toString());

        assertThat(find(folder.resolve("a").toString(), path, List.of())).isEqualTo(program);
        assertThat(find("", with(path, "HAPROXY_HOME", program), List.of())).isEqualTo(program);
        assertThat(HaproxyHome.find("", with(path, "HAPROXY_HOME", folder.resolve("b")), List.of(), List.of()))
                .isEmpty();
    }

    @Test
    void unpackedProgramIsToldWhereItsLibrariesAre() throws IOException {
        Path program = program("tree/usr/sbin/haproxy");

        assertThat(new HaproxyHome(program).environment(Map.of()).get("LD_LIBRARY_PATH"))
                .contains(folder.resolve("tree/usr/lib").toString());
        assertThat(new HaproxyHome(Path.of("/usr/sbin/haproxy")).environment(Map.of()))
                .doesNotContainKey("LD_LIBRARY_PATH");
        assertThat(new HaproxyHome(Path.of("/opt/haproxy")).environment(Map.of()))
                .isEmpty();
    }

    @Test
    void proxyThatIsWantedAndMissingIsAMistakeWithANextStep() {
        OptionReader wanted = reader(Map.of("haproxy", "true", "haproxy-home", folder.toString()));
        HaproxyOptions options = HaproxyOptions.read(wanted);

        wanted.check();
        assertThatThrownBy(() -> options.program(Map.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(folder + " (haproxy-home) is neither");
        assertThat(HaproxyOptions.NONE.program(Map.of(), List.of())).isEmpty();

        OptionReader reader = reader(Map.of("haproxy", "yes", "haproxy-home", "/x"));
        HaproxyOptions.read(reader);
        assertThatThrownBy(reader::check)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--haproxy yes: expected true or false; --haproxy-home /x has no effect without --haproxy");
    }

    private static OptionReader reader(Map<String, String> given) {
        return new OptionReader("ndb", HaproxyOptions.ALL, given);
    }

    @Test
    void programThatIsNotHaproxyIsRefusedBeforeAnythingStarts() throws IOException {
        Path program = program("a/haproxy");
        Files.writeString(program, "#!/bin/sh\necho something else\n");
        HaproxyOptions options = new HaproxyOptions(true, program.toString());

        assertThatThrownBy(() -> options.program(Map.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(program + " does not run")
                .hasMessageContaining("something else");

        Files.writeString(program, "#!/bin/sh\necho HAProxy version 9\n");
        assertThat(options.program(Map.of(), List.of())).contains(new HaproxyHome(program));
    }

    private Path find(String option, Map<String, String> environment, List<Path> trees) {
        return HaproxyHome.find(option, environment, trees, List.of())
                .orElseThrow()
                .program();
    }

    private static Map<String, String> with(Map<String, String> environment, String name, Path value) {
        Map<String, String> more = new java.util.HashMap<>(environment);
        more.put(name, value.toString());
        return more;
    }

    private Path program(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
