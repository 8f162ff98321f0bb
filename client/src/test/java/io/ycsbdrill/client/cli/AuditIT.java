package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is known of the writes of clients whose processes were killed, on a real cluster. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class AuditIT {
    @TempDir
    static Path directory;

    @BeforeAll
    static void up() throws Exception {
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=500
                operationcount=100000000
                readproportion=0.2
                updateproportion=0.6
                insertproportion=0.2
                """);
        ends(0, "cluster", "up", "embedded");
        ends(0, "load", "native", "-P", "w", "--out", "load");
    }

    @AfterAll
    static void down() throws Exception {
        ends(0, "cluster", "down", "embedded");
    }

    private static Child ycsb(String... arguments) throws IOException {
        return new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), Child.ycsb(arguments));
    }

    private static String ends(int exitCode, String... arguments) throws Exception {
        try (Child child = ycsb(arguments)) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(exitCode);
            return child.err();
        }
    }

    private static Child running(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("run", "native", "-P", "w", "--audit", "-threads", "3", "--window", "200ms", "--out", out));
        arguments.addAll(List.of(more));
        return ycsb(arguments.toArray(String[]::new));
    }

    private static boolean hasWindows(String client) {
        Path windows = directory.resolve(client).resolve("windows.csv");
        try (var lines = Files.exists(windows) ? Files.lines(windows) : Stream.<String>empty()) {
            return lines.count() > 10;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode audit(String run) throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve(run).resolve("audit.json").toFile());
    }

    @Test
    void theWritesOfAllClientsAreJudgedTogetherThoughOneWasKilled() throws Exception {
        try (Child child = running("several", "--clients", "2")) {
            child.await(() -> hasWindows("several/client-1") && hasWindows("several/client-2"));

            child.signalChildren("KILL");

            assertThat(child.exitCode()).as(child.err()).isEqualTo(1);
            assertThat(child.err()).contains("0 acknowledged writes lost", "killed by signal 9");
        }
        JsonNode audit = audit("several");
        Audits.assertNothingLost(audit);
        Audits.assertReplicasAgree(audit, 3, 3);
        try (var journals = Files.list(directory.resolve("several/client-2/journal"))) {
            assertThat(journals).hasSize(3);
        }
        String again = ends(0, "audit", "several");
        assertThat(again).contains("0 acknowledged writes lost");
        assertThat(audit("several").path("writes")).isEqualTo(audit.path("writes"));
    }

    @Test
    void aRunThatWasKilledCanBeAudited() throws Exception {
        try (Child child = running("killed")) {
            child.await(() -> hasWindows("killed"));

            child.signal("KILL");

            assertThat(child.exitCode()).isEqualTo(137);
        }
        assertThat(directory.resolve("killed/audit.json")).doesNotExist();

        try (Child audited = ycsb("audit", "killed", "--json")) {
            assertThat(audited.exitCode()).as(audited.err()).isZero();
            assertThat(audited.err()).contains("0 acknowledged writes lost", "replicas agree");
            assertThat(audited.out()).isEqualTo(Files.readString(directory.resolve("killed/audit.json")));
        }
        Audits.assertNothingLost(audit("killed"));
        assertThat(audit("killed").at("/writes/unknown").asInt())
                .as("at most what each thread had under way")
                .isBetween(0, 3);
        assertThat(Files.readString(directory.resolve("killed/report.html"))).contains("acknowledged writes");
    }

    @Test
    void aRunWithoutAJournalIsRefused() throws Exception {
        assertThat(ends(2, "audit", "load")).contains("no write journal", "--audit");
        assertThat(ends(2, "audit", "nowhere")).contains("nowhere is not there");
    }
}
