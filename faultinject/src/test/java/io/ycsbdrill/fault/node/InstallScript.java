package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A script of {@code bin} that installs an engine. */
public record InstallScript(String name) {

    /** Runs it with these arguments. */
    public ProgramOutput run(String... arguments) throws IOException {
        Path script = Path.of(System.getProperty("basedir", "."), "..", "bin", name)
                .toAbsolutePath()
                .normalize();
        List<String> command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(List.of(arguments));
        return ProgramOutput.of(command, Duration.ofMinutes(1));
    }

    /** Packs a tree, as an archive that the script can be given. */
    public static void tar(Path tree, Path archive) throws IOException {
        ProgramOutput output = ProgramOutput.of(List.of(
                "tar",
                "-czf",
                archive.toString(),
                "-C",
                tree.getParent().toString(),
                tree.getFileName().toString()));
        assertThat(output.exit()).as(output.text()).isZero();
    }
}
