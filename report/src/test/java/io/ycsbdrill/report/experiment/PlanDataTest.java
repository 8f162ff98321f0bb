package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanDataTest {
    @TempDir
    private Path directory;

    /** The plans of suites that were run. */
    @ParameterizedTest
    @ValueSource(strings = {"rondb-disk-embedded", "cratedb-bulk-embedded", "harperdb-writes-galera"})
    void aPlanIsWrittenAsItWasRead(String suite) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(Path.of("src/test/resources/suites", suite + ".zip"))) {
            List<Path> plans;
            try (Stream<Path> files = Files.walk(zip.getPath("/"))) {
                plans = files.filter(file ->
                                file.endsWith(PlanData.FILE) && !Files.exists(file.resolveSibling("suite.json")))
                        .toList();
            }
            assertThat(plans).isNotEmpty();
            for (Path plan : plans) {
                PlanData.read(plan.getParent()).write(directory);

                assertThat(directory.resolve(PlanData.FILE)).hasContent(Files.readString(plan));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "{\"schema\":2}",
                "{\"schema\":1}",
                "{\"schema\":1,\"variants\":[null]}",
                "{\"schema\":1,\"variants\":[{\"number\":1}],\"cells\":[{\"id\":\"..\",\"variant\":1}]}",
                "{\"schema\":1,\"variants\":[{\"number\":1}],\"cells\":[{\"id\":\"a\",\"variant\":2}]}"
            })
    void aDamagedPlanIsNamed(String text) throws IOException {
        Files.writeString(directory.resolve(PlanData.FILE), text);

        assertThatThrownBy(() -> PlanData.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory.resolve(PlanData.FILE).toString());
    }

    @Test
    void whatAnEarlierVersionDidNotWriteIsEmpty() throws IOException {
        Files.writeString(
                directory.resolve(PlanData.FILE),
                "{\"schema\":1,\"variants\":[{\"number\":1,\"levels\":{}}],\"axes\":[{\"name\":\"threads\"}],\"cells\":[],\"later\":{\"x\":1}}");

        PlanData plan = PlanData.read(directory);

        assertThat(plan.kind()).isEqualTo("experiment");
        assertThat(plan.ascend()).isEmpty();
        assertThat(plan.claims()).isEmpty();
        assertThat(plan.axes()).containsExactly(new PlanData.Axis("threads", List.of()));
        assertThat(plan.success().okShare()).isZero();
    }
}
