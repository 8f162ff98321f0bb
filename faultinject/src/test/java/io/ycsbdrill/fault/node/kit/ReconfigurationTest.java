package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconfigurationTest {
    private static final String FILE = """
            [first]
            size=1
            # size=2
            [second]
            Max-Size=1
            other=x

            [third]
            """;

    @Test
    void settingsReplaceThoseOfTheirSectionOrAreAddedAtItsEnd() {
        assertThat(Reconfiguration.changed(FILE, "[second]", Map.of("max_size", "64M", "new", "1")))
                .isEqualTo("""
                [first]
                size=1
                # size=2
                [second]
                max_size=64M
                other=x
                new=1

                [third]
                """);
        assertThat(Reconfiguration.changed(FILE, "[first]", Map.of("size", "1")))
                .isEqualTo(FILE);
    }

    @ParameterizedTest
    @CsvSource({
        "64M, 67108864, true",
        "1g, 1073741824, true",
        "1024, 1K, true",
        "ON, 1, true",
        "false, OFF, true",
        "row, ROW, true",
        "64M, 64, false",
        "1, 2, false",
        "ON, 0, false",
        "ROW, MIXED, false"
    })
    void sameValueHasSeveralForms(String one, String other, boolean same) {
        assertThat(Reconfiguration.same(one, other)).isEqualTo(same);
    }

    @Test
    void valueCountsOnlyAfterARestart() {
        AtomicReference<OsProcess> process = new AtomicReference<>(new OsProcess(1, OptionalLong.of(1), Set.of()));
        Reconfiguration reconfiguration = new Reconfiguration(node -> Optional.ofNullable(process.get()));
        Map<String, String> wanted = Map.of("size", "2K");
        Map<String, String> reported = Map.of("size", "2048");
        assertThat(reconfiguration.look("n", wanted, () -> reported).effect())
                .as("it was given nothing")
                .isFalse();

        reconfiguration.begin("n");
        assertThat(reconfiguration.look("n", wanted, () -> reported).effect())
                .as("the same process")
                .isFalse();
        process.set(null);
        assertThat(reconfiguration.look("n", wanted, () -> reported).effect())
                .as("no process")
                .isFalse();
        process.set(new OsProcess(2, OptionalLong.of(2), Set.of()));

        assertThat(reconfiguration.look("n", wanted, () -> Map.of("size", "1024")))
                .isEqualTo(new Sight(false, "n reports size=1024"));
        assertThat(reconfiguration.look("n", wanted, () -> reported)).isEqualTo(new Sight(true, "n reports size=2048"));
    }

    @Test
    void whatIsRefusedIsSaidForEachSetting() {
        Map<String, Map<String, String>> now =
                Map.of("n1", Map.of("size", "1", "both", "2"), "n2", Map.of("size", "1"));

        assertThat(Reconfiguration.refusals(Map.of("size", "2"), Set.of(), () -> now, "see"))
                .isEmpty();
        assertThat(Reconfiguration.refusals(Map.of("Size", "1"), Set.of(), () -> now, "see"))
                .containsExactly("set: Size is 1 on every node already, so nothing would be changed");
        assertThat(Reconfiguration.refusals(Map.of("both", "1"), Set.of(), () -> now, "see"))
                .containsExactly("set: node n2 has no setting both; see");
        assertThat(Reconfiguration.refusals(Map.of("si-ze", "1"), Set.of("si_ze"), () -> now, "see"))
                .containsExactly("set: si-ze is what the cluster is made with and cannot be changed");
        assertThat(Reconfiguration.refusals(Map.of("size", "1\n[x]"), Set.of(), () -> now, "see"))
                .singleElement()
                .asString()
                .contains("expected 1 to 128 letters");
        assertThat(Reconfiguration.refusals(Map.of("a' OR 1", "1"), Set.of(), () -> now, "see"))
                .containsExactly("set: \"a' OR 1\" is not a setting");
    }
}
