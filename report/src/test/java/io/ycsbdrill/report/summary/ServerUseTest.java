package io.ycsbdrill.report.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.rundir.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerUseTest {
    private static final String HEADER = "at_s,node,process,cpu_s,memory_mb\n";

    @TempDir
    Path run;

    @BeforeEach
    void aRunOfSixSeconds() throws Exception {
        Files.writeString(
                run.resolve("run.json"),
                "{\"schema\":1,\"state\":\"complete\",\"endedAt\":\"2026-11-27T00:00:06Z\",\"durationNanos\":6000000000}");
        Files.writeString(
                run.resolve("summary.json"),
                "{\"trimmed\":{\"startSeconds\":1,\"endSeconds\":5},\"throughputOpsPerSecond\":500,\"operations\":{}}");
    }

    private void samples(String... rows) throws Exception {
        Files.writeString(run.resolve("nodes.csv"), HEADER + String.join("\n", rows) + "\n");
    }

    @Test
    void theWarmUpIsLeftOutAndAllServersCountForAnOperation() throws Exception {
        samples(
                "0,1,a,100,50", "0,sql1,b,7,80", // since the processes were started
                "2,1,a,101,60", "2,sql1,b,7.2,80",
                "4,1,a,103,60", "4,sql1,b,7.2,80",
                "6,1,a,105,70", "6,sql1,b,7.2,90");

        DrillSummary.write(run);

        JsonNode servers = Json.read(run.resolve("summary.json")).path("servers");
        // From 1 s to 5 s: half of the first second's 1 s and three quarters of the last 4 s.
        assertThat(servers.at("/nodes/1/cpuSeconds").asDouble()).isEqualTo(3.5, within(1e-6));
        assertThat(servers.at("/nodes/sql1/cpuSeconds").asDouble()).isEqualTo(0.1, within(1e-6));
        assertThat(servers.at("/nodes/1/processors").asDouble()).isEqualTo(0.875, within(1e-6));
        assertThat(servers.at("/nodes/1/mostMemoryMb").asDouble()).isEqualTo(60);
        assertThat(servers.path("cpuMicrosPerOperation").asDouble()).isEqualTo(1800, within(1e-3));
        assertThat(servers.has("phases")).isFalse();
    }

    /** Clients that were started by hand on the servers' host have each asked its kernel. */
    @Test
    void whatSeveralClientsHaveSampledCountsOnce() throws Exception {
        Files.writeString(run.resolve("nodes.csv"), """
                client,at_s,node,process,cpu_s,memory_mb
                1,0,1,a,100,50
                1,2,1,a,101,60
                1,4,1,a,103,60
                1,6,1,a,105,70
                2,0.5,1,a,100.2,50
                2,2.5,1,a,101.5,60
                2,4.5,1,a,103.5,60
                2,6.5,1,a,105.5,70
                """);

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1/cpuSeconds").asDouble()).isEqualTo(3.5, within(1e-6));
    }

    @Test
    void aProcessThatIsStartedAgainCountsFromZeroAndOnlySinceTheSecondBefore() throws Exception {
        Files.writeString(run.resolve("phases.csv"), """
                step,occurrence,fault,node,phase,start_s,end_s,seconds
                kill,1,kill,1,down,2,4,2
                kill,1,kill,1,local-recovery,4,5,1
                """);
        samples(
                "0,1,a,10,50",
                "0,2,b,0,50",
                "1,1,a,10.5,50",
                "1,2,b,1,50",
                "2,1,a,11,50",
                "2,2,b,2,50", //
                "3,2,b,2,50",
                "4,2,b,2,50",
                "5,1,c,0.8,20",
                "5,2,b,2.5,50");

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1/cpuSeconds").asDouble()).isEqualTo(0.5 + 0.8, within(1e-6));
        assertThat(servers.at("/phases/steady/processors/1").asDouble()).isEqualTo(0.5, within(1e-6));
        assertThat(servers.at("/phases/down/processors/1").asDouble()).isZero();
        assertThat(servers.at("/phases/down/processors/2").asDouble()).isZero();
        assertThat(servers.at("/phases/local-recovery/processors/1").asDouble()).isEqualTo(0.8, within(1e-6));
        assertThat(servers.at("/phases/local-recovery/seconds").asDouble()).isEqualTo(1);
        assertThat(Files.readString(Report.write(run).page()))
                .contains("Processor time by phase, of one processor")
                .contains("local-recovery")
                .contains("80 %");
    }

    /** Node 1 is killed at 2 s, having sent 3 MB in that second, and sends 4 MB when it recovers. */
    @Test
    void bytesOfAServerThatWasStartedAgainAreNoFigureWhereItEndedOrBegan() throws Exception {
        Files.writeString(run.resolve("phases.csv"), """
                step,occurrence,fault,node,phase,start_s,end_s,seconds
                kill,1,kill,1,down,2.5,3.5,1
                kill,1,kill,1,local-recovery,3.5,5,1.5
                """);
        Files.writeString(run.resolve("nodes.csv"), """
                at_s,node,process,cpu_s,memory_mb,network,received_mb,sent_mb
                0,1,a,0,50,net:1,0,0
                0,2,b,0,50,net:2,0,0
                1,1,a,0,50,net:1,0,1
                1,2,b,0,50,net:2,1,2
                2,1,a,0,50,net:1,0,2
                2,2,b,0,50,net:2,2,4
                3,2,b,0,50,net:2,3,6
                4,1,c,0,50,net:1,3,9
                4,2,b,0,50,net:2,4,8
                6,1,c,0,50,net:1,3,9
                6,2,b,0,50,net:2,6,12
                """);

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/phases/steady/sentMbPerSecond").has("1"))
                .as("it ends within the interval")
                .isFalse();
        assertThat(servers.at("/phases/down/sentMbPerSecond").has("1")).isFalse();
        assertThat(servers.at("/phases/local-recovery/sentMbPerSecond").has("1"))
                .isFalse();
        assertThat(servers.at("/phases/down/sentMbPerSecond/2").asDouble()).isEqualTo(2, within(1e-6));
        assertThat(servers.at("/nodes/1").has("sentMb")).isFalse();
        assertThat(servers.at("/nodes/2/sentMb").asDouble()).isEqualTo(8, within(1e-6));
        assertThat(servers.has("sentBytesPerOperation")).isFalse();
        assertThat(servers.has("cpuMicrosPerOperation"))
                .as("its processor time is known but for a second")
                .isTrue();
        assertThat(Files.readString(Report.write(run).page()))
                .contains("Network by phase, received / sent")
                .contains("1.00 / 2.00 MB/s");
    }

    @Test
    void bytesOfAllServersAreASumOnlyWhereEachHasANetworkOfItsOwn() throws Exception {
        String two = """
                at_s,node,process,cpu_s,memory_mb,network,received_mb,sent_mb
                0,1,a,0,50,net:1,0,10
                0,2,b,0,50,net:2,0,0
                6,1,a,0,50,net:1,0,16
                6,2,b,0,50,net:2,0,6
                """;
        // Samples six seconds apart would not say what was before the trimmed run.
        two = two.replace("6,1,", "1,1,a,0,50,net:1,0,11\n5,1,a,0,50,net:1,0,15\n6,1,")
                .replace("6,2,", "1,2,b,0,50,net:2,0,1\n5,2,b,0,50,net:2,0,5\n6,2,");
        Files.writeString(run.resolve("nodes.csv"), two);
        assertThat(ServerUse.of(RunData.read(run))
                        .orElseThrow()
                        .json()
                        .path("sentBytesPerOperation")
                        .asDouble())
                .isEqualTo(8e6 / 2000, within(1e-3));

        Files.writeString(run.resolve("nodes.csv"), two + "0,sql1,q,0,50,,,\n6,sql1,q,0,50,,,\n");
        assertThat(ServerUse.of(RunData.read(run)).orElseThrow().json().has("sentBytesPerOperation"))
                .as("what the SQL server sent is missing")
                .isFalse();
    }

    /** The second network has carried more already, so that its counters do not tell. */
    @Test
    void bytesThatAreNotKnownToTheEndOrOfANetworkMadeAnewAreNoFigure() throws Exception {
        Files.writeString(run.resolve("nodes.csv"), """
                at_s,node,process,cpu_s,memory_mb,network,received_mb,sent_mb
                0,1,a,0,50,net:1,100,10
                0,2,b,0,50,net:2,100,10
                2,1,a,0,50,net:1,102,14
                2,2,b,0,50,net:3,200,20
                4,2,b,0,50,net:3,203,23
                6,2,b,0,50,net:3,203,23
                """);

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1").has("sentMb")).as("gone at the end").isFalse();
        assertThat(servers.at("/nodes/2").has("sentMb")).as("made anew").isFalse();
        assertThat(servers.has("sentBytesPerOperation")).isFalse();
    }

    /** A host whose login took a second: its server has run for days. */
    @Test
    void aServerThatIsSeenLaterThanOthersCountsFromItsFirstSampleUnlessItWasStartedMeanwhile() throws Exception {
        samples("0,1,a,10,50", "1,2,b,86400,50", "4,1,a,10,50", "4,2,b,86403,50", "5,1,a,10,50", "5,2,b,86404,50");
        assertThat(ServerUse.of(RunData.read(run))
                        .orElseThrow()
                        .json()
                        .at("/nodes/2/cpuSeconds")
                        .asDouble())
                .isEqualTo(4, within(1e-6));

        Files.writeString(run.resolve("nodes.csv"), """
                at_s,node,process,cpu_s,memory_mb,process_s
                0,1,a,10,50,99
                2,1,a,10,50,101
                2,2,b,86401,50,86500
                2,3,c,0.6,50,1
                5,1,a,10,50,104
                5,2,b,86404,50,86503
                5,3,c,0.6,50,4
                """);
        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();
        assertThat(servers.at("/nodes/2/cpuSeconds").asDouble()).isEqualTo(3, within(1e-6));
        assertThat(servers.at("/nodes/3/cpuSeconds").asDouble()).isEqualTo(0.6, within(1e-6));
    }

    @Test
    void aSumOfServersNeedsAllThatTheClusterHas() throws Exception {
        String[] rows = {"0,1,a,10,50", "2,1,a,11,50", "5,1,a,14,50"};
        String whole = Files.readString(run.resolve("run.json"));
        Files.writeString(
                run.resolve("run.json"), whole.replace("{\"schema", "{\"engine\":{\"servers\":[\"1\"]},\"schema"));
        samples(rows);
        assertThat(ServerUse.of(RunData.read(run)).orElseThrow().json().has("cpuMicrosPerOperation"))
                .isTrue();

        Files.writeString(
                run.resolve("run.json"),
                whole.replace("{\"schema", "{\"engine\":{\"servers\":[\"1\",\"2\"]},\"schema"));
        JsonNode partial = ServerUse.of(RunData.read(run)).orElseThrow().json();
        assertThat(partial.has("cpuMicrosPerOperation")).isFalse();
        assertThat(partial.at("/nodes/1").has("cpuSeconds")).isTrue();
        assertThat(partial.at("/nodes/2").has("cpuSeconds")).isFalse();
        assertThat(Files.readString(Report.write(run).page())).contains("Processes of the servers");

        Files.writeString(run.resolve("run.json"), whole);
        samples("0,1,a,10,50", "0,2,b,0,50", "2,1,a,11,50", "2,2,b,1,50", "5,1,a,15,50");
        assertThat(ServerUse.of(RunData.read(run)).orElseThrow().json().has("cpuMicrosPerOperation"))
                .as("a host that has not answered since")
                .isFalse();
    }

    @Test
    void whatWasNotSampledNearAnEndOfAPhaseIsNoFigureOfIt() throws Exception {
        Files.writeString(run.resolve("phases.csv"), """
                step,occurrence,fault,node,phase,start_s,end_s,seconds
                kill,1,kill,2,down,2,3,1
                """);
        samples("0,1,a,10,50", "1,1,a,10,50", "5,1,a,14,50", "6,1,a,14,50");

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1/cpuSeconds").asDouble()).isEqualTo(4, within(1e-6));
        assertThat(servers.at("/phases/down/processors").has("1")).isFalse();
    }

    @Test
    void whatWasNotSampledToTheEndIsNoFigure() throws Exception {
        samples("0,1,a,10,50", "2,1,a,11,50");

        assertThat(ServerUse.of(RunData.read(run))).isEmpty();
        DrillSummary.write(run);
        assertThat(Json.read(run.resolve("summary.json")).has("servers")).isFalse();
    }

    @Test
    void aDamagedFileIsMentionedAndCostsOnlyItsOwnFigures() throws Exception {
        Files.writeString(run.resolve("nodes.csv"), "at_s,node\n0,1\n");

        RunData data = RunData.read(run);

        assertThat(ServerUse.of(data)).isEmpty();
        assertThat(data.problems()).anySatisfy(problem -> assertThat(problem.toString())
                .startsWith("nodes.csv line 1: no column process, cpu_s, memory_mb"));
        assertThat(data.unsound()).isEmpty();
    }
}
