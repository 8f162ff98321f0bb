package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Drawn drills on a real embedded cluster, which loses nothing and leaves nothing. What is found otherwise is covered without servers. */
@Tag("process")
@Tag("soak")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ExploreIT {
    @TempDir
    private Path directory;

    @Test
    void drawnDrillsLoseNothingAndLeaveNothing() throws Exception {
        Files.writeString(directory.resolve("w"), """
            workload=site.ycsb.workloads.CoreWorkload
            recordcount=1000
            readproportion=0.5
            updateproportion=0.5
            scanproportion=0
            insertproportion=0
            """);
        String[] line = "explore native -P w --for 40s --seed 3 --out e -threads 2 -target 200".split(" ");

        Map<String, String> state =
                Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString());
        try (Child child = new Child(directory, state, Child.ycsb(line))) {
            assertThat(child.exitCode()).as(child.err()).isNotEqualTo(2);
        }

        JsonNode json =
                new ObjectMapper().readTree(directory.resolve("e/explore.json").toFile());
        assertThat(json.path("drills")).isNotEmpty();
        assertThat(json.path("coverage")).isNotEmpty();
        assertThat(json.path("drills").findValuesAsText("result"))
                .noneMatch(result -> result.contains("lost write")
                        || result.contains("leftover")
                        || result.contains("copies differ")
                        || result.contains("not recovered"));
    }
}
