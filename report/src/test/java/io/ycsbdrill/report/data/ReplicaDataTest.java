package io.ycsbdrill.report.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said, and judged, of the copies that each node has. */
class ReplicaDataTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    @Test
    void equalCopiesAreClean() throws IOException {
        AuditData audit = audit("""
                {"available":true,"agree":"yes","copies":2,"keys":9771,"different":0,"unreadable":0,"late":0,"nodes":[
                {"node":"n1","held":9771,"findings":0,"hash":"%1$s"},{"node":"n2","held":9771,"findings":0,"hash":"%1$s"}],
                "problems":[],"differences":[]}""".formatted(HASH));

        assertThat(audit.isClean()).isTrue();
        assertThat(audit.lines())
                .contains(
                        "replicas agree: 2 nodes, 2 copies of each of 9,771 keys, content hash 0123456789abcdef… on each");
        assertThat(DrillMetrics.ackedLost(audit).value()).hasValue(0);
    }

    @Test
    void aDifferenceIsNotCleanAndLeavesLostWritesUnmeasured() throws IOException {
        String replicas = """
                {"available":true,"agree":"no","copies":2,"keys":9771,"different":1,"unreadable":0,"nodes":[
                {"node":"n1","held":5,"findings":0,"hash":"%s"},{"node":"n2","held":4,"findings":1,"hash":"%s"}],
                "problems":[],"differences":[{"kind":"lost-update","key":"user7","field":"field1","write":"client-0/3",
                "startSeconds":1.5,"found":"nothing","node":"n2"}]}""".formatted(HASH, HASH);
        AuditData audit = audit(replicas);

        assertThat(audit.isClean()).isFalse();
        assertThat(audit.lines().get(0))
                .startsWith("0 acknowledged writes lost")
                .endsWith("; replicas differ");
        assertThat(audit.lines()).contains("replicas differ in 1 of 9,771 keys; wrong copies: n2 has 1");
        Files.writeString(directory.resolve("audit.json"), file(replicas));
        Verdict verdict = DrillSummary.write(SampleRun.nodeRestart()
                        .drill("node-restart", "{\"ackedLost\":0}")
                        .writeTo(directory))
                .verdict();
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.checks().get(0).sentence()).contains("n/a", "replicas differ in 1 of 9,771 keys");
        Report.write(directory);
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains(
                        "What each node has of the written keys",
                        "0123456789abcdef…",
                        "Copies that are wrong or differ")
                .contains("user7", "replicas differ in 1 of 9,771 keys");
    }

    @Test
    void copiesThatWereNotReadAreNotTakenForRight() throws IOException {
        AuditData audit = audit("""
                {"available":true,"agree":"unknown","copies":2,"keys":10,"different":0,"unreadable":10,"nodes":[
                {"node":"n1","held":10,"findings":0,"hash":"%s"},{"node":"n2","unreadable":10,"findings":0,"hash":null}],
                "problems":["n2: connection: refused"],"differences":[]}""".formatted(HASH));

        assertThat(audit.isClean()).isFalse();
        assertThat(audit.lines())
                .contains("it is not known whether the replicas agree: copies of 10 keys could not be read"
                        + " (n2: connection: refused)");
        assertThat(DrillMetrics.ackedLost(audit).value()).hasValue(0);
    }

    @Test
    void anEngineWithoutItIsNoFault() throws IOException {
        AuditData without = audit("{\"available\":false,\"agree\":\"unknown\",\"reason\":\"NDB gives one row\"}");

        assertThat(without.isClean()).isTrue();
        assertThat(without.lines()).contains("replicas not compared: NDB gives one row");
        assertThat(new AuditData(new ObjectMapper().readTree("{\"ackedLost\":0,\"writes\":{\"ok\":1}}")).lines())
                .as("of an earlier version")
                .noneMatch(line -> line.contains("replicas"));
    }

    private static AuditData audit(String replicas) throws IOException {
        return new AuditData(new ObjectMapper().readTree(file(replicas)));
    }

    private static String file(String replicas) {
        return "{\"schema\":1,\"ackedLost\":0,\"writes\":{\"ok\":9771},\"replicas\":" + replicas + "}";
    }
}
