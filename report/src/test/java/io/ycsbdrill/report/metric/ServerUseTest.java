package io.ycsbdrill.report.metric;

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
                "6,1,a,105,70", "6,sql1,b,7.2,90");

        DrillSummary.write(run);

        JsonNode servers = Json.read(run.resolve("summary.json")).path("servers");
        // From 1 s to 5 s: half of the first second's 1 s and three quarters of the 4 s.
        assertThat(servers.at("/nodes/1/cpuSeconds").asDouble()).isEqualTo(3.5, within(1e-6));
        assertThat(servers.at("/nodes/sql1/cpuSeconds").asDouble()).isEqualTo(0.1, within(1e-6));
        assertThat(servers.at("/nodes/1/processors").asDouble()).isEqualTo(0.875, within(1e-6));
        assertThat(servers.at("/nodes/1/mostMemoryMb").asDouble()).isEqualTo(60);
        assertThat(servers.path("cpuMicrosPerOperation").asDouble()).isEqualTo(1800, within(1e-3));
        assertThat(servers.has("phases")).isFalse();
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

    /** Nodes 1 and 2 have networks of their own, sql1 has not; node 1 has no process for a second. */
    @Test
    void bytesOfANetworkOfItsOwnGoOnWhenTheServerIsStartedAgain() throws Exception {
        Files.writeString(run.resolve("phases.csv"), """
                step,occurrence,fault,node,phase,start_s,end_s,seconds
                kill,1,kill,1,down,2,4,2
                """);
        Files.writeString(run.resolve("nodes.csv"), """
                at_s,node,process,cpu_s,memory_mb,received_mb,sent_mb
                0,1,a,0,50,100,10
                0,2,b,0,50,0,0
                0,sql1,q,0,50,,
                2,1,a,0,50,102,14
                2,2,b,0,50,4,2
                2,sql1,q,0,50,,
                3,2,b,0,50,5,3
                4,1,c,0,50,103,15
                4,2,b,0,50,6,4
                6,1,c,0,50,105,17
                6,2,b,0,50,8,6
                6,sql1,q,0,50,,
                """);

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1/receivedMb").asDouble()).isEqualTo(1 + 1 + 1, within(1e-6));
        assertThat(servers.at("/nodes/1/sentMb").asDouble()).isEqualTo(2 + 1 + 1, within(1e-6));
        assertThat(servers.at("/nodes/sql1").has("sentMb")).isFalse();
        assertThat(servers.path("sentBytesPerOperation").asDouble()).isEqualTo(8e6 / 2000, within(1e-3));
        assertThat(servers.at("/phases/down/sentMbPerSecond/1").asDouble()).isEqualTo(0.5, within(1e-6));
        assertThat(servers.at("/phases/down/sentMbPerSecond/2").asDouble()).isEqualTo(1, within(1e-6));
        assertThat(servers.at("/phases/down/sentMbPerSecond").has("sql1")).isFalse();
        assertThat(Files.readString(Report.write(run).page()))
                .contains("Network by phase, received / sent")
                .contains("1.00 / 1.00 MB/s");
    }

    @Test
    void bytesThatAreNotKnownToTheEndOrOfANetworkMadeAnewAreNoFigure() throws Exception {
        Files.writeString(run.resolve("nodes.csv"), """
                at_s,node,process,cpu_s,memory_mb,received_mb,sent_mb
                0,1,a,0,50,100,10
                0,2,b,0,50,100,10
                2,1,a,0,50,102,14
                2,2,b,0,50,1,1
                6,2,b,0,50,3,3
                """);

        JsonNode servers = ServerUse.of(RunData.read(run)).orElseThrow().json();

        assertThat(servers.at("/nodes/1").has("sentMb")).as("down at the end").isFalse();
        assertThat(servers.at("/nodes/2").has("sentMb")).as("made anew").isFalse();
        assertThat(servers.has("sentBytesPerOperation")).isFalse();
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
