package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workload files as people publish them: they run as they are, or say why not. On a table in memory. */
class ForeignFilesTest {
    private static final String FILE = """
            workload=com.yahoo.ycsb.workloads.CoreWorkload
            recordcount=50
            operationcount=200
            readproportion=0.5
            updateproportion=0.5
            requestdistribution=uniform
            """;

    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root)
                .with(new FakeEngine("embedded", Map.of("db", StoreDb.class.getName(), "store", root.toString())));
    }

    private int run(String file, String... more) {
        world.file("w", file);
        String[] arguments = new String[6 + more.length];
        System.arraycopy(new String[] {"run", "native", "-P", "w", "--out", "r"}, 0, arguments, 0, 6);
        System.arraycopy(more, 0, arguments, 6, more.length);
        return world.execute(arguments);
    }

    private JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(name).toFile());
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.yahoo.ycsb.workloads.CoreWorkload", "core"})
    void theClassOfOlderVersionsAndOfGoIsCoreWorkload(String name) throws IOException {
        int exitCode = run(FILE.replace("com.yahoo.ycsb.workloads.CoreWorkload", name));

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err()).contains("note: workload=" + name + " is now called site.ycsb.workloads.CoreWorkload");
        assertThat(json("r/run.json").at("/properties/workload").asText())
                .isEqualTo("site.ycsb.workloads.CoreWorkload");
    }

    @Test
    void theBindingsAndExportersOfOlderVersionsAreFound() {
        world.file("w", FILE);

        int exitCode = world.execute(
                "run",
                "com.yahoo.ycsb.BasicDB",
                "-P",
                "w",
                "--out",
                "r",
                "-p",
                "basicdb.verbose=false",
                "-p",
                "exporter=com.yahoo.ycsb.measurements.exporter.JSONArrayMeasurementsExporter");

        assertThat(exitCode).as(world.err()).isZero();
    }

    @Test
    void histogramLogsAreWrittenForEachOperation() throws IOException {
        int exitCode = run(
                FILE,
                "-p",
                "hdrhistogram.fileoutput=true",
                "-p",
                "hdrhistogram.output.path=" + root.resolve("hdr-"),
                "-p",
                "measurementtype=hdrhistogram");

        assertThat(exitCode).as(world.err()).isZero();
        JsonNode operations = json("r/summary.json").path("operations");
        for (String operation : new String[] {"READ", "UPDATE"}) {
            HistogramLogReader log = new HistogramLogReader(
                    root.resolve("hdr-" + operation + ".hdr").toFile());
            long count = 0;
            long most = 0;
            while (log.hasNext()) {
                AbstractHistogram interval = (AbstractHistogram) log.nextIntervalHistogram();
                count += interval.getTotalCount();
                most = Math.max(most, interval.getMaxValue());
            }
            assertThat(count)
                    .isEqualTo(operations.at("/" + operation + "/ok").asLong())
                    .isPositive();
            assertThat((double) most)
                    .as("microseconds")
                    .isBetween(
                            operations
                                                    .at("/" + operation + "/service/maxMicros")
                                                    .asDouble()
                                            * 0.99
                                    - 1,
                            operations
                                                    .at("/" + operation + "/service/maxMicros")
                                                    .asDouble()
                                            * 1.01
                                    + 1);
        }
        assertThat(world.err()).doesNotContain("warning");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "measurementtype=timeseries",
                "measurement.raw.output_file=raw.csv",
                "timeseries.granularity=100",
                "histogram.buckets=10",
                "latencytrackederrors=ERROR",
                "reportlatencyforeacherror=true",
                "measurement.trackjvm=true",
                "core_workload_insertion_retry_interval=3",
                "field_len_dist=zipfian",
                "operations=5"
            })
    void whatHasNoEffectIsSaid(String property) {
        int exitCode = run(FILE, "-p", property);

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err()).contains("warning: " + property.replaceAll("(?<!measurementtype)=.*", ""), "no effect");
    }

    @Test
    void proportionsThatAreNoWholeAreSaid() {
        int exitCode = run(FILE.replace("updateproportion=0.5", "updateproportion=0.1"));

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err()).contains("warning: readproportion + updateproportion = 0.6, not 1");
    }

    @Test
    void deletesAreAudited() throws IOException {
        int exitCode =
                run(FILE.replace("readproportion=0.5", "readproportion=0.1") + "deleteproportion=0.4\n", "--audit");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(json("r/summary.json").at("/operations/DELETE/ok").asLong()).isPositive();
        JsonNode audit = json("r/audit.json");
        assertThat(audit.at("/lost/delete").asLong()).isZero();
        assertThat(audit.path("ackedLost").asLong()).isZero();
        assertThat(audit.path("phantoms").asLong()).isZero();
    }

    @Test
    void anExportFileOfAnotherMachineIsNoReasonNotToRun() throws IOException {
        int exitCode = run(FILE, "-p", "exportfile=/users/x/outputs/default.log");

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(world.err()).contains("warning: exportfile=/users/x/outputs/default.log cannot be written");
        assertThat(world.out()).contains("[OVERALL], RunTime(ms), ");
        assertThat(world.directory().resolve("r/ycsb.txt")).isNotEmptyFile();
    }

    /** Without the load it was an endless search for a key. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRangeOfKeysWithoutAnyIsRefused(boolean loads) {
        String[] typed = {"-p", "insertstart=50", "--no-load"};
        int exitCode = run(FILE, loads ? Arrays.copyOf(typed, 2) : typed);

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err())
                .contains("insertstart=50 and insertcount=0 leave no record to work on of recordcount=50")
                .doesNotContain("threads");
    }

    @Test
    void timeSeriesAreRefusedBeforeAnythingIsSent() {
        world.file("w", """
                workload=site.ycsb.workloads.TimeSeriesWorkload
                recordcount=300
                operationcount=300
                fieldlength=8
                fieldcount=64
                tagcount=4
                tagcardinality=1,2,4,8
                readproportion=0.1
                insertproportion=0.9
                """);

        int exitCode =
                world.execute("run", "jdbc", "-P", "w", "-p", "db.url=jdbc:mysql://127.0.0.1:1/ycsb", "--out", "r");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err()).contains("inserts several records under one key", "binding for time series");
    }
}
