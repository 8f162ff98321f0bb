package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Second installations for tests: of the same version, elsewhere. */
public final class TestedInstallations {

    private TestedInstallations() {}

    /** Copies an installation as it is. */
    public static Path copy(Path home, Path to) throws IOException {
        ProgramOutput output = ProgramOutput.of(
                List.of("cp", "-a", "--reflink=auto", home.toRealPath().toString(), to.toString()),
                Duration.ofMinutes(5));
        assertThat(output.exit()).as(output.text()).isZero();
        return to.toRealPath();
    }
}
