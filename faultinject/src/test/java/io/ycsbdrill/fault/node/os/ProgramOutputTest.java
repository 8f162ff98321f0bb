package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgramOutputTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void aProgramReadsItsInput() throws IOException {
        assertThat(ProgramOutput.of(List.of("cat"), Optional.of("as given"), BOUND))
                .isEqualTo(new ProgramOutput(0, "as given"));
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
