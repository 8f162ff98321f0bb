package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The gate's check that an engine's tests ran when the engine is there. */
@EnabledOnOs(OS.LINUX)
class EngineTestsTest {
    private static final String RAN = "<testsuite><testcase name=\"one\" classname=\"c\" time=\"1\"/></testsuite>";
    private static final String SKIPPED =
            "<testsuite><testcase name=\"\" classname=\"c\"><skipped message=\"%s\"/></testcase></testsuite>";

    @TempDir
    Path directory;

    private void report(String test, String content) throws Exception {
        Path file = directory.resolve("client/target/failsafe-reports/TEST-io.ycsbdrill." + test + ".xml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String check(Map<String, String> homes, int code) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("../.ci/engine-tests").toAbsolutePath().toString(), directory.toString())
                .redirectErrorStream(true);
        new TreeMap<>(builder.environment())
                .keySet().stream().filter(name -> name.endsWith("_HOME")).forEach(builder.environment()::remove);
        builder.environment().putAll(homes);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isEqualTo(code);
        return output;
    }

    @Test
    void aSkippedTestOfAnEngineThatIsThereFails() throws Exception {
        report("NdbDrillIT$Sql", RAN);
        report("GaleraDrillIT", SKIPPED.formatted("no Galera"));

        assertThat(check(Map.of("NDB_HOME", "/opt/ndb"), 0)).isEmpty();
        assertThat(check(Map.of("NDB_HOME", "/opt/ndb", "GALERA_HOME", "/opt/galera"), 1))
                .contains("skipped, although Galera is there (/opt/galera): TEST-io.ycsbdrill.GaleraDrillIT")
                .contains("no Galera");
    }

    @Test
    void anEngineNoneOfWhoseTestsRanFails() throws Exception {
        report("GaleraDrillIT", RAN);

        assertThat(check(Map.of("GALERA_HOME", "/g"), 0)).isEmpty();
        assertThat(check(Map.of("NDB_HOME", "/n"), 1)).contains("no integration test of NDB has run");
        assertThat(check(Map.of(), 0)).isEmpty();
    }

    @Test
    void aTestThatLacksAnotherProgramIsNoSkippedEngineTest() throws Exception {
        report("GaleraDrillIT$Haproxy", SKIPPED.formatted("skipped: the cluster has no HAProxy"));

        assertThat(check(Map.of("GALERA_HOME", "/g"), 0)).isEmpty();
    }
}
