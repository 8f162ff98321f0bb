package io.ycsbdrill.fault.node.harper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.InstallScript;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/install-harper} with a small tree in place of a real one, and what finds an installation and Node.js. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class InstallHarperTest {
    private static final InstallScript SCRIPT = new InstallScript("install-harper");

    @TempDir
    Path folder;

    @Test
    void treeAndArchiveArePutWhereTheEngineFindsThem() throws IOException {
        Path prefix = HarperHome.PLACES.cache(Map.of("XDG_CACHE_HOME", folder.toString()));
        Path tree = tree("5.0.1", "Apache-2.0");
        Path archives = Files.createDirectories(folder.resolve("archives"));
        InstallScript.tar(tree("5.0.2", "Apache-2.0"), archives.resolve("harper-5.tar.gz"));

        assertThat(SCRIPT.run("--archive", tree.toString(), "--prefix", prefix.toString())
                        .exit())
                .isZero();
        ProgramOutput output = SCRIPT.run("--archive", archives.toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).as(output.text()).isZero();
        HarperHome found = HarperHome.PLACES
                .find(null, Map.of("XDG_CACHE_HOME", folder.toString()))
                .orElseThrow();
        assertThat(found).isEqualTo(new HarperHome(prefix.resolve("5.0.2")));
        assertThat(found.version()).isEqualTo("5.0.2");
        try (var left = Files.list(prefix)) {
            assertThat(left).containsExactlyInAnyOrder(prefix.resolve("5.0.1"), prefix.resolve("5.0.2"));
        }
    }

    @Test
    void closedGenerationIsRefusedAndLeavesNothing() throws IOException {
        Path prefix = folder.resolve("prefix");

        ProgramOutput output = SCRIPT.run(
                "--archive", tree("4.7.29", "SEE LICENSE IN LICENSE").toString(), "--prefix", prefix.toString());

        assertThat(output.exit()).isEqualTo(1);
        assertThat(output.text()).contains("open-source version only");
        assertThat(prefix).isEmptyDirectory();
    }

    @Test
    void mistakesEndWithTwoAndAMissingArchiveWithOne() throws IOException {
        assertThat(SCRIPT.run().exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--archives", "x").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--archive").exit()).isEqualTo(2);
        assertThat(SCRIPT.run("--help").exit()).isZero();
        assertThat(SCRIPT.run("--archive", folder.resolve("absent.tar.gz").toString())
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void placeThatWasNamedIsTakenAndWhatItLacksIsSaid() {
        HarperHome home = HarperHome.PLACES
                .find("/somewhere", Map.of("HARPER_HOME", "/elsewhere"))
                .orElseThrow();

        assertThat(home.root()).isEqualTo(Path.of("/somewhere"));
        assertThat(home.missing()).contains("dist/bin/harperdb.js", "node_modules");
    }

    @Test
    void nodeOfTheVariableIsTakenAndAnOldOneIsRefused() throws IOException {
        Path old = program("old", "v18.20.1");
        Path newer = program("newer", "v22.1.0");

        assertThat(HarperHome.node(Map.of("HARPER_NODE", newer.toString(), "PATH", "/bin")))
                .contains(newer);
        assertThat(HarperHome.node(Map.of("PATH", "/nowhere"))).isEmpty();
        assertThat(HarperHome.unfit(newer)).isEmpty();
        assertThat(HarperHome.unfit(old))
                .hasValueSatisfying(reason -> assertThat(reason).contains("v18.20.1", "20 or newer"));
    }

    private Path program(String name, String prints) throws IOException {
        Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\necho " + prints + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private Path tree(String version, String licence) throws IOException {
        Path tree = folder.resolve("harper-" + version);
        Files.createDirectories(tree.resolve("dist/bin"));
        Files.createDirectories(tree.resolve("node_modules"));
        Files.createFile(tree.resolve("dist/bin/harperdb.js"));
        Files.writeString(
                tree.resolve("package.json"),
                "{\n\t\"name\": \"harper\",\n\t\"version\": \"" + version + "\",\n\t\"license\": \"" + licence
                        + "\"\n}\n");
        return tree;
    }
}
