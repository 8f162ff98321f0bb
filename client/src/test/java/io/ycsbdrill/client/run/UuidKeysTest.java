package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UuidKeysTest {
    @TempDir
    private Path directory;

    @Test
    void aRunFindsAllRowsThatTheLoadWroteUnderUuids() throws IOException {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).with("insertorder", "uuid").in(directory.resolve("load")), List.of())
                .execute();
        assertThat(ScriptedDb.ROWS).hasSize(100).allSatisfy((key, row) -> assertThat(key)
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));

        new BenchmarkRun(
                        Specs.aRun(200)
                                .with("recordcount", "100")
                                .with("insertorder", "uuid")
                                .with("readproportion", "0.5")
                                .with("updateproportion", "0.4")
                                .with("insertproportion", "0.1")
                                .in(directory.resolve("run")),
                        List.of())
                .execute();

        JsonNode operations =
                new RunFiles(directory.resolve("run")).json("summary.json").path("operations");
        for (String operation : List.of("READ", "UPDATE", "INSERT")) {
            assertThat(operations.path(operation).path("ok").asInt()).isPositive();
            assertThat(operations.path(operation).path("failed").asInt()).isZero();
        }
        assertThat(ScriptedDb.ROWS.keySet()).hasSizeGreaterThan(100).allMatch(key -> !key.startsWith("user"));
    }
}
