package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The gate's check that an engine's tests ran when the engine is there. */
@EnabledOnOs(OS.LINUX)
class EngineTestsTest {
    private static final String RAN = """
              <testcase name="one" classname="%s" time="1"/>
            """;
    private static final String SKIPPED = """
              <testcase name="%s" classname="%s" time="0">
                <skipped message="Assumption failed: %s" type="org.opentest4j.TestAbortedException"><![CDATA[HAProxy]]></skipped>
              </testcase>
            """;

    /** As Surefire writes it for an assumption. */
    private static final String ABORTED = """
              <testcase name="%s" classname="%s" time="0">
                <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: %s
                    at io.ycsbdrill.HAProxy.none(HAProxy.java:1)
            ]]></skipped>
              </testcase>
            """;

    @TempDir
    Path directory;

    private void report(String test, String cases) throws Exception {
        Path file = directory.resolve("client/target/failsafe-reports/TEST-io.ycsbdrill." + test + ".xml");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "<testsuite xmlns:x=\"y\" name=\"io.ycsbdrill." + test + "\" time=\"1\" tests=\""
                        + (cases.isEmpty() ? 0 : 1) + "\" errors=\"0\">\n" + cases + "</testsuite>\n");
    }

    private void ran(String test) throws Exception {
        report(test, RAN.formatted("io.ycsbdrill." + test));
    }

    private void skipped(String test, String reason) throws Exception {
        report(test, SKIPPED.formatted("", "io.ycsbdrill." + test, reason));
    }

    /** One of its tests has run. */
    private void skippedInPart(String test, String reason) throws Exception {
        String name = "io.ycsbdrill." + test;
        report(test, RAN.formatted(name) + ABORTED.formatted("two", name, reason));
    }

    private void source(String test, String tags) throws Exception {
        Path file = directory.resolve("client/src/test/java/io/ycsbdrill/" + test + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, tags + "\nclass " + test + " {}\n");
    }

    private void append(String test, String lines) throws Exception {
        Path file = directory.resolve("client/src/test/java/io/ycsbdrill/" + test + ".java");
        Files.writeString(file, lines, StandardOpenOption.APPEND);
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
        ran("NdbDrillIT$Sql");
        skippedInPart("GaleraDrillIT", "no Galera");

        assertThat(check(Map.of("NDB_HOME", "/opt/ndb"), 0)).isEmpty();
        assertThat(check(Map.of("NDB_HOME", "/opt/ndb", "GALERA_HOME", "/opt/galera"), 1))
                .contains("skipped, although Galera is there (/opt/galera): io.ycsbdrill.GaleraDrillIT two: ")
                .contains("no Galera")
                .doesNotContain("NDB");
    }

    @Test
    void anEngineNoneOfWhoseTestsRanFails() throws Exception {
        ran("GaleraDrillIT");

        assertThat(check(Map.of("GALERA_HOME", "/g"), 0)).isEmpty();
        assertThat(check(Map.of("NDB_HOME", "/n"), 1)).contains("no integration test of NDB has run");
        assertThat(check(Map.of(), 0)).isEmpty();
    }

    @Test
    void anEngineWhoseTestsHaveAllBeenSkippedFailsWhateverTheReason() throws Exception {
        skipped("GaleraDrillIT$Haproxy", "skipped: the cluster has no HAProxy");

        assertThat(check(Map.of("GALERA_HOME", "/g"), 1)).contains("no integration test of Galera has run");
    }

    @Test
    void aClassOfTestsThatDidNotRunFailsUnlessTheBuildLeavesItOut() throws Exception {
        ran("NdbDrillIT");
        ran("NdbClusterIT$Sql");
        source("NdbDrillIT", "@Tag(\"engine\")");
        source("NdbClusterIT", "@Tag(\"engine\")");
        source("NdbDayIT", "@Tag(\"soak\")");
        append("NdbDayIT", "    @Test\n    void one() {}\n    @Test\n    void two() {}\n");

        assertThat(check(Map.of("NDB_HOME", "/n"), 0)).isEmpty();
        source("NdbLifetimeIT", "@Tag(\"engine\")");
        assertThat(check(Map.of("NDB_HOME", "/n"), 1))
                .contains("has not run, although NDB is there (/n): io.ycsbdrill.NdbLifetimeIT")
                .hasLineCount(1);

        source("NdbLifetimeIT", "");
        append("NdbLifetimeIT", "    @Test\n    @Tag(\"soak\")\n    void one() {}\n");
        assertThat(check(Map.of("NDB_HOME", "/n"), 0)).isEmpty();
        append("NdbLifetimeIT", "    @ParameterizedTest\n    void two() {}\n");
        assertThat(check(Map.of("NDB_HOME", "/n"), 1)).contains("has not run").hasLineCount(1);
    }

    /** What is skipped before all tests of a class leaves a report without tests and without a reason. */
    @Test
    void aClassThatWasSkippedAsAWholeFails() throws Exception {
        report("CrateDbDrillIT", "");
        ran("CrateDbDrillIT$Contract");
        report("FaunaDbDrillIT$Nodes", "");
        ran("FaunaDbDrillIT");

        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 0))
                .as("a class whose tests are all in classes of its own")
                .isEmpty();
        assertThat(check(Map.of("FAUNADB_HOME", "/f"), 1))
                .contains(
                        "skipped, although FaunaDB is there (/f): io.ycsbdrill.FaunaDbDrillIT$Nodes -: no test of it ran");
    }

    @Test
    void testsOfSeveralEnginesInOneClassAreToldApartByTheirNames() throws Exception {
        String grey = "io.ycsbdrill.GreyFaultsIT";
        report("GreyFaultsIT", RAN.formatted(grey).replace("one", "onNdb") + SKIPPED.formatted("onGalera", grey, "no"));
        ran("GaleraDrillIT");

        assertThat(check(Map.of("NDB_HOME", "/n"), 0)).isEmpty();
        assertThat(check(Map.of("GALERA_HOME", "/g"), 1)).contains("skipped, although Galera is there (/g): " + grey);
    }

    @Test
    void aTestOfSomethingThatTheEngineDoesNotHaveIsNoSkippedEngineTest() throws Exception {
        skippedInPart("HarperDrillIT$Contract", "the engine does not have FIELD_CHECK");
        skipped("HarperDbIT", "TC_AGREEMENT is not yes");

        assertThat(check(Map.of("HARPER_HOME", "/h"), 0)).isEmpty();
        skipped("HarperContractIT", "no Harper found");
        assertThat(check(Map.of("HARPER_HOME", "/h"), 1)).contains("skipped, although Harper is there (/h)");
    }

    @Test
    void aFeatureThatOnlyAnotherEngineLacksIsASkippedEngineTest() throws Exception {
        skippedInPart("NdbContractIT", "the engine does not have FIELD_CHECK");
        skippedInPart("CrateDbDrillIT$Contract", "the engine does not have SCAN");
        ran("FaunaDbDrillIT");

        assertThat(check(Map.of("NDB_HOME", "/n"), 1)).contains("skipped, although NDB is there (/n)");
        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 1)).contains("skipped, although CrateDB is there (/c)");
        assertThat(check(Map.of("FAUNADB_HOME", "/f"), 0)).isEmpty();
        skipped("FaunaDbDrillIT$Nodes", "skipped: no FaunaDB found");
        assertThat(check(Map.of("FAUNADB_HOME", "/f"), 1)).contains("skipped, although FaunaDB is there (/f)");
    }

    @Test
    void aTestThatLacksAnotherProgramIsNoSkippedEngineTest() throws Exception {
        skippedInPart("GaleraDrillIT$Haproxy", "skipped: the cluster has no HAProxy");

        assertThat(check(Map.of("GALERA_HOME", "/g"), 0)).isEmpty();
    }

    @Test
    void aTestOfAFeatureThatAnEngineDoesNotHaveIsNoSkippedEngineTest() throws Exception {
        skippedInPart("CrateDbDrillIT$Contract", "the engine does not have FIELD_CHECK");

        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 0)).isEmpty();
        skipped("CrateDbContractIT", "skipped: no JDK of version 24 or newer found");
        assertThat(check(Map.of("CRATEDB_HOME", "/c"), 1)).contains("skipped, although CrateDB is there (/c)");
    }
}
