package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProgramOutputTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void aProgramReadsItsInput() throws IOException {
        assertThat(ProgramOutput.of(List.of("cat"), Optional.of("as given"), BOUND))
                .isEqualTo(new ProgramOutput(0, "as given"));
    }

    @Test
    void whatAScriptHasStartedEndsWithItsBound(@TempDir Path folder) throws IOException {
        Path pid = folder.resolve("pid");
        String script = "sleep 600 & echo $! >" + pid + "; wait";

        assertThatThrownBy(() -> ProgramOutput.of(List.of("sh", "-c", script), Duration.ofSeconds(2)))
                .hasMessage("sh did not end within 2000 ms");

        assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                        .map(ProcessHandle::onExit)
                        .map(CompletableFuture::join))
                .satisfiesAnyOf(
                        gone -> assertThat(gone).isEmpty(),
                        ended -> assertThat(ended.get().isAlive()).isFalse());
    }

    @Test
    void anInterruptIsSaidWhetherItComesBeforeTheProgramOrDuringIt() {
        for (Optional<String> input : List.of(Optional.of("as given"), Optional.<String>empty())) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> ProgramOutput.of(List.of("cat"), input, BOUND))
                    .isInstanceOf(IOException.class)
                    .hasMessage("interrupted while waiting for cat");
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
