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
    void aTestOfSomethingThatTheEngineDoesNotHaveIsNoSkippedEngineTest() throws Exception {
        report("HarperDrillIT$Contract", SKIPPED.formatted("the engine does not have FIELD_CHECK"));
        report("HarperDbIT", SKIPPED.formatted("TC_AGREEMENT is not yes"));

        assertThat(check(Map.of("HARPER_HOME", "/h"), 0)).isEmpty();
        report("HarperContractIT", SKIPPED.formatted("no Harper found"));
        assertThat(check(Map.of("HARPER_HOME", "/h"), 1)).contains("skipped, although Harper is there (/h)");
    }

    @Test
    void aFeatureThatOnlyAnotherEngineLacksIsASkippedEngineTest() throws Exception {
        report("NdbContractIT", SKIPPED.formatted("the engine does not have FIELD_CHECK"));
        report("CrateDbDrillIT$Contract", SKIPPED.formatted("the engine does not have SCAN"));
        report("FaunaDbDrillIT", RAN);

        assertThat(check(Map.of("NDB_HOME", "/n"), 1)).contains("skipped, although NDB is there (/n)");
        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 1)).contains("skipped, although CrateDB is there (/c)");
        assertThat(check(Map.of("FAUNADB_HOME", "/f"), 0)).isEmpty();
        report("FaunaDbDrillIT$Nodes", SKIPPED.formatted("skipped: no FaunaDB found"));
        assertThat(check(Map.of("FAUNADB_HOME", "/f"), 1)).contains("skipped, although FaunaDB is there (/f)");
    }

    @Test
    void aTestThatLacksAnotherProgramIsNoSkippedEngineTest() throws Exception {
        report("GaleraDrillIT$Haproxy", SKIPPED.formatted("skipped: the cluster has no HAProxy"));

        assertThat(check(Map.of("GALERA_HOME", "/g"), 0)).isEmpty();
    }

    @Test
    void aTestOfAFeatureThatAnEngineDoesNotHaveIsNoSkippedEngineTest() throws Exception {
        report("CrateDbDrillIT$Contract", SKIPPED.formatted("Assumption failed: the engine does not have FIELD_CHECK"));

        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 0)).isEmpty();
        report("CrateDbContractIT", SKIPPED.formatted("skipped: no JDK of version 24 or newer found"));
        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 1)).contains("skipped, although CrateDB is there (/c)");
    }
}
