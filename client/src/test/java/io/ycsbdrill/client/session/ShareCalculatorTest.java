package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --clients} gives each client. */
class ShareCalculatorTest {
    private final Properties properties = new Properties();

    private List<RunSpec> shares(Mode mode, long operations, int clients) {
        properties.setProperty("recordcount", "1000");
        properties.setProperty("operationcount", "" + operations);
        properties.setProperty("exportfile", "result.txt");
        return ShareCalculator.of(
                RunSpec.builder()
                        .mode(mode)
                        .properties(properties)
                        .operations(mode == Mode.LOAD ? 1_000 : operations)
                        .seed(40)
                        .out(Path.of("/out"))
                        .extra("drill", JsonNodeFactory.instance.objectNode())
                        .build(),
                clients);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 64})
    void sharesOfARunAddUpToIt(int clients) {
        List<RunSpec> shares = shares(Mode.RUN, 10_001, clients);

        assertThat(shares.stream().mapToLong(RunSpec::operations).sum()).isEqualTo(10_001);
        assertThat(shares).allSatisfy(share -> assertThat(share.properties().getProperty("operationcount"))
                .isEqualTo("" + share.operations()));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 64})
    void sharesOfALoadFollowEachOther(int clients) {
        long next = 0;
        for (RunSpec share : shares(Mode.LOAD, 0, clients)) {
            assertThat(share.properties().getProperty("insertstart")).isEqualTo("" + next);
            assertThat(share.properties().getProperty("insertcount")).isEqualTo("" + share.operations());
            next += share.operations();
        }
        assertThat(next).isEqualTo(1_000);
    }

    @Test
    void aRunWithoutACountHasNoneInItsShares() {
        assertThat(shares(Mode.RUN, 0, 3)).allMatch(share -> share.operations() == 0);
    }

    @Test
    void eachIsTheSameRunButForItsNumberItsSeedAndItsDirectory() {
        List<RunSpec> shares = shares(Mode.RUN, 300, 3);

        assertThat(shares).extracting(share -> share.part().toString()).containsExactly("1/3", "2/3", "3/3");
        assertThat(shares).extracting(RunSpec::seed).containsExactly(40L, 41L, 42L);
        assertThat(shares)
                .extracting(RunSpec::out)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 3)
                        .mapToObj(i -> Path.of("/out/client-" + i))
                        .toList());
        assertThat(shares)
                .extracting(share -> share.extra().containsKey("drill"))
                .containsExactly(true, false, false);
        // All would write to it; the merged result goes there.
        assertThat(shares).noneMatch(share -> share.properties().containsKey("exportfile"));
        assertThat(properties).containsKey("exportfile");
    }
}
