package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.session.WrittenRun;
import io.ycsbdrill.report.data.AuditData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** Whole runs and loads with an audit. */
class AuditedRunTest {
    @TempDir
    private Path directory;

    @Test
    void nothingIsMissedInARunOfAllKindsOfWrites() throws IOException {
        load();

        JsonNode audit = audited(all(Specs.aRun(5_000).threads(4)));

        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
        assertThat(audit.at("/writes/ok").asLong()).isGreaterThan(2_000);
        assertThat(audit.at("/keys/judged").asLong())
                .isEqualTo(audit.at("/keys/touched").asLong())
                .isGreaterThan(500);
    }

    @Test
    void allFieldsMayBeWrittenAtOnce() throws IOException {
        load();

        JsonNode audit = audited(all(Specs.aRun(3_000).threads(3).with("writeallfields", "true")));

        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
    }

    @Test
    void theLastOfManyClientsFindsItsOwnWrites() throws IOException {
        load();

        JsonNode audit = audited(all(Specs.aRun(2_000).threads(2).part(65, 65)));

        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
        assertThat(audit.at("/reads/phantom").asLong()).isZero();
        assertThat(audit.at("/writes/ok").asLong()).isGreaterThan(500);
    }

    @Test
    void updatesThatAreOnlySaidToBeDoneAreLost() throws IOException {
        load();
        ConcurrentHashMap.KeySetView<String, Boolean> lost = ConcurrentHashMap.newKeySet();
        ScriptedDb.script = (operation, key) -> {
            boolean lose = operation.equals("UPDATE") && key.hashCode() % 10 == 0;
            if (lose) {
                lost.add(key);
            }
            return lose ? Status.OK : null;
        };

        JsonNode audit = audited(Specs.aRun(3_000)
                .with("updateproportion", "1")
                .with("readproportion", "0")
                .with("writeallfields", "true"));

        assertThat(lost).isNotEmpty();
        // The last update of each such key, and not those before it, which nobody can miss.
        assertThat(audit.at("/lost/update").asLong()).isEqualTo(lost.size());
        assertThat(audit.at("/ackedLost").asLong()).isEqualTo(lost.size());
        assertThat(audit.at("/findings/0/kind").asText()).isEqualTo("lost-update");
        assertThat(audit.at("/findings/0/found").asText()).isEqualTo("a value from before the run");
        assertThat(lost).contains(audit.at("/findings/0/key").asText());
    }

    @Test
    void eachAttemptOfALoadIsAWriteOfItsOwn() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        ScriptedDb.reset((operation, key) -> {
            if (!operation.equals("INSERT")) {
                return null;
            }
            int call = calls.incrementAndGet();
            if (call % 7 == 0) {
                // Applied, but nobody is told: the next attempt meets its row.
                ScriptedDb.ROWS.remove(key);
                return Status.ERROR;
            }
            return call % 5 == 0 ? Statuses.FAILED : null;
        });

        JsonNode audit = audited(Specs.aLoad(60).retries(4));

        assertThat(audit.at("/ackedLost").asLong()).isZero();
        assertThat(audit.at("/phantoms").asLong()).isZero();
        assertThat(audit.at("/keys/judged").asLong()).isEqualTo(60);
        assertThat(audit.at("/writes/unknown").asLong()).isPositive();
        assertThat(audit.at("/unknown/unresolved").asLong()).isZero();
        assertThat(audit.at("/writes/failed").asLong()).isPositive();
        assertThat(audit.at("/writes/ok").asLong()).isEqualTo(60);
    }

    @Test
    void rowsOfABatchAreKnownOneByOne() throws IOException {
        ScriptedDb.reset((operation, key) -> operation.equals("INSERT") && key.hashCode() % 9 == 0 ? Status.OK : null);

        JsonNode audit = audited(Specs.aLoad(200).batches(16).threads(3));

        long lost = 200 - ScriptedDb.ROWS.size();
        assertThat(lost).isPositive();
        assertThat(audit.at("/lost/insert").asLong()).isEqualTo(lost);
        assertThat(audit.at("/keys/judged").asLong()).isEqualTo(200);
    }

    @Test
    void aWriteThatNeverReturnsIsUnknownAndResolved() throws IOException {
        load();
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger updates = new AtomicInteger();
        AtomicReference<RunControl> control = new AtomicReference<>();
        ScriptedDb.script = (operation, key) -> {
            if (operation.equals("UPDATE") && updates.incrementAndGet() == 50) {
                control.get().end();
                while (never.getCount() > 0) {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        continue; // a driver that does not let itself be interrupted
                    }
                }
            }
            return null;
        };
        RunBounds bounds = new RunBounds(
                Duration.ofSeconds(60),
                Duration.ofMillis(300),
                Duration.ofMillis(300),
                Duration.ofMillis(200),
                Duration.ofMinutes(5));
        Path out = directory.resolve("hung");

        new BenchmarkRun(
                        Specs.aRun(1_000)
                                .with("updateproportion", "1")
                                .with("readproportion", "0")
                                .in(out),
                        List.of(control::set),
                        bounds)
                .audited(line -> {})
                .execute();

        never.countDown();
        JsonNode audit = new RunFiles(out).json("audit.json");
        assertThat(audit.at("/writes/unknown").asLong()).isEqualTo(1);
        assertThat(audit.at("/unknown/notApplied").asLong()
                        + audit.at("/unknown/overwritten").asLong())
                .isEqualTo(1);
        assertThat(audit.at("/ackedLost").asLong()).isZero();
    }

    @Test
    void anEarlierRunIsAuditedFromItsDirectoryAndSeesWhatHasBecomeOfItsWrites() throws IOException {
        load();
        JsonNode then = audited(all(Specs.aRun(2_000)));
        Path out = directory.resolve("audited");
        String key = Files.readString(out.resolve("journal/0.journal"), StandardCharsets.ISO_8859_1)
                .replaceAll("(?s).*?(user\\d+).*", "$1");
        Files.delete(out.resolve("audit.json"));

        WrittenRun.of(out, Map.of()).readBack(() -> false, line -> {});
        JsonNode now = new RunFiles(out).json("audit.json");
        ScriptedDb.ROWS.remove(key);
        WrittenRun.of(out, Map.of()).readBack(() -> false, line -> {});
        JsonNode later = new RunFiles(out).json("audit.json");

        for (String part : List.of("/ackedLost", "/writes", "/keys", "/unknown", "/phantoms")) {
            assertThat(now.at(part)).isEqualTo(then.at(part));
        }
        assertThat(then.at("/ackedLost").asLong()).isZero();
        assertThat(later.at("/ackedLost").asLong()).isEqualTo(1);
        JsonNode lost = later.at("/findings/0");
        assertThat(lost.path("key").asText()).isEqualTo(key);
        assertThat(lost.path("endSeconds").asDouble())
                .isBetween(
                        0.0,
                        new RunFiles(out).json("run.json").path("durationNanos").asLong() / 1e9);
    }

    /** Of two nodes that have equal copies of all rows. */
    public static final class Copies extends ScriptedDb implements NodeReads {
        @Override
        public Nodes nodes() {
            return new Nodes(
                    List.of(new Node("n1", Map.of("node", "1")), new Node("n2", Map.of("node", "2"))),
                    2,
                    Duration.ZERO,
                    "");
        }
    }

    /** How soon the copies were equal and, once the machine was started again, when it reads on the clock of the run. */
    @Test
    void whatALaterAuditCannotKnowIsLeftOut() throws IOException {
        load();
        JsonNode own = audited(all(Specs.aRun(500)).binding(Copies.class.getName()));
        Path out = directory.resolve("audited");
        WrittenRun.of(out, Map.of()).readBack(() -> false, line -> {});
        JsonNode later = new RunFiles(out).json("audit.json");
        Path journal = out.resolve("journal/0.journal");
        byte[] bytes = Files.readAllBytes(journal);
        bytes[24] ^= 1; // of the boot of the machine
        Files.write(journal, bytes);
        ScriptedDb.ROWS.remove(new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("(?s).*?(user\\d+).*", "$1"));
        WrittenRun.of(out, Map.of()).readBack(() -> false, line -> {});
        JsonNode restarted = new RunFiles(out).json("audit.json");

        assertThat(own.at("/replicas/convergence/keys").asInt()).isPositive();
        assertThat(later.at("/replicas/agree").asText()).isEqualTo("yes");
        assertThat(later.at("/replicas/convergence").isNull()).isTrue();
        assertThat(later.at("/readBack/startSeconds").asDouble())
                .isGreaterThan(own.at("/readBack/startSeconds").asDouble());
        assertThat(later.path("replicas").has("startSeconds")).isTrue();

        assertThat(restarted.at("/replicas/convergence").isNull()).isTrue();
        for (String part : List.of("readBack", "replicas")) {
            assertThat(restarted.path(part).has("startSeconds")).isFalse();
            assertThat(restarted.path(part).has("endSeconds")).isFalse();
        }
        assertThat(AuditData.read(out).orElseThrow().lines()).anyMatch(line -> line.endsWith(" read back and judged"));
        // The journals tell it of the writes.
        assertThat(restarted.at("/findings/0/endSeconds").asDouble())
                .isBetween(
                        0.0,
                        new RunFiles(out).json("run.json").path("durationNanos").asLong() / 1e9);
    }

    /** They are in the journals, too, and as many as the writes that are in none. */
    @Test
    void failedWritesDoNotMakeUpForAJournalThatIsLost() throws IOException {
        load();
        AtomicInteger updates = new AtomicInteger();
        ScriptedDb.script = (operation, key) ->
                operation.equals("UPDATE") && updates.incrementAndGet() % 2 == 0 ? Statuses.FAILED : null;
        JsonNode whole = audited(
                Specs.aRun(1_500).threads(3).with("updateproportion", "1").with("readproportion", "0"));
        Path out = directory.resolve("audited");
        Path journal = out.resolve("journal/0.journal");
        Files.write(journal, new byte[(int) Files.size(journal)]);

        WrittenRun.of(out, Map.of()).readBack(() -> false, line -> {});

        JsonNode writes = new RunFiles(out).json("audit.json").path("writes");
        assertThat(writes.path("inNoJournal").asLong())
                .isPositive()
                .isEqualTo(whole.at("/writes/ok").asLong() - writes.path("ok").asLong());
    }

    @Test
    void theFiguresOfARunAreKeptWhenItsJournalsCannotBeReadBack() throws IOException {
        load();
        Path out = directory.resolve("damaged");

        RunResult result = new BenchmarkRun(
                        all(Specs.aRun(500)).in(out),
                        List.of(run -> write(out.resolve("damaged.journal"), "no journal")))
                .audited(line -> {})
                .execute();

        assertThat(result.state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(result.reasons()).singleElement().asString().contains("damaged.journal is damaged");
        RunFiles files = new RunFiles(out);
        assertThat(files.json("summary.json").path("transactions").asLong()).isEqualTo(500);
        assertThat(files.json("run.json").path("durationNanos").asLong()).isPositive();
        assertThat(out.resolve("totals.jsonl")).isNotEmptyFile();
        assertThat(out.resolve("ycsb.txt")).isNotEmptyFile();
        assertThat(out.resolve("audit.json")).doesNotExist();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Workload C; half of the rows vanish before it reads any. */
    @Test
    void rowsOfTheLoadThatVanishThoughTheyAreOnlyReadAreFound() throws IOException {
        load();
        List<String> kept = ScriptedDb.ROWS.keySet().stream().limit(50).toList();
        ScriptedDb.ROWS.keySet().retainAll(kept);

        JsonNode audit = audited(Specs.aRun(1_000)
                .binding(Strong.class.getName())
                .with("readproportion", "1")
                .with("updateproportion", "0"));

        assertThat(audit.at("/keys/touched").asLong()).isZero();
        assertThat(audit.at("/load/rows").asLong()).isEqualTo(100);
        assertThat(audit.at("/load/read").asLong()).isEqualTo(100);
        assertThat(audit.at("/load/missing").asLong()).isEqualTo(50);
        assertThat(audit.at("/load/unreadable").asLong()).isZero();
        assertThat(audit.at("/rowsLost").asLong()).isEqualTo(50);
        assertThat(audit.at("/reads/missing").asLong()).isBetween(300L, 700L);
        assertThat(audit.at("/findings/0/kind").asText()).isEqualTo("lost-row");
        assertThat(audit.at("/findings/0/found").asText()).matches("nothing: row \\d+ of the load was not found");
        AuditData data = new AuditData(audit);
        assertThat(data.isClean()).isFalse();
        assertThat(data.foundOthers(false)).isTrue();
        assertThat(data.doubts()).isNotEmpty();
        assertThat(data.lines())
                .contains("100 of the 100 rows of the load, that the run did not write: 50 not found")
                .anyMatch(line -> line.contains("50 rows lost from before the run"));
    }

    @Test
    void aRowThatVanishesBetweenReadsIsMissing() throws IOException {
        load();
        AtomicInteger reads = new AtomicInteger();
        ScriptedDb.script = (operation, key) ->
                operation.equals("READ") && reads.incrementAndGet() % 100 == 0 ? Status.NOT_FOUND : null;

        JsonNode audit = audited(Specs.aRun(1_000)
                .binding(Strong.class.getName())
                .with("readproportion", "1")
                .with("updateproportion", "0"));

        assertThat(audit.at("/rowsLost").asLong()).isZero();
        assertThat(audit.at("/reads/missing").asLong()
                        + audit.at("/reads/backwards").asLong())
                .isEqualTo(10);
        assertThat(new AuditData(audit).isClean()).isFalse();
    }

    @Test
    void aRowThatOnlyUnknownUpdatesWroteIsNotToVanish() throws IOException {
        load();
        ScriptedDb.script = (operation, key) -> {
            if (!operation.equals("UPDATE")) {
                return null;
            }
            ScriptedDb.ROWS.remove(key);
            return Statuses.UNKNOWN;
        };

        JsonNode audit = audited(Specs.aRun(20).with("readproportion", "0").with("updateproportion", "1"));

        assertThat(audit.at("/rowsLost").asLong())
                .isPositive()
                .isEqualTo(audit.at("/keys/touched").asLong());
        assertThat(audit.at("/load/missing").asLong()).isZero();
    }

    @Test
    void aLoadDoesNotTakeItsOwnRowsForLoaded() throws IOException {
        ScriptedDb.reset((operation, key) -> operation.equals("INSERT") ? Statuses.FAILED : null);

        JsonNode audit = audited(Specs.aLoad(10));

        assertThat(audit.at("/load/rows").asLong()).isZero();
        assertThat(audit.at("/rowsLost").asLong()).isZero();
    }

    /** Whose reads show the newest. */
    public static final class Strong extends ScriptedDb implements NodeReads {
        @Override
        public Guarantee guarantee() {
            return new Guarantee(true, 1, Duration.ZERO);
        }

        @Override
        public Nodes nodes() {
            return Nodes.none("there is one");
        }
    }

    @Test
    void aRunThatRecordedNothingIsNotAudited() {
        load();

        assertThatThrownBy(() -> WrittenRun.of(directory.resolve("load"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no write journal")
                .hasMessageContaining("--audit");
    }

    @Test
    void whatCannotBeAuditedIsRefusedBeforeAnythingStarts() {
        RunSpec tooShort = Specs.aRun(10).with("fieldlength", "19").in(directory.resolve("short"));
        RunSpec integrity = Specs.aRun(10).with("dataintegrity", "true").in(directory.resolve("integrity"));

        assertThatThrownBy(() -> new BenchmarkRun(tooShort, List.of())
                        .audited(line -> {})
                        .execute())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("fieldlength=19")
                .hasMessageContaining("at least 20");
        assertThatThrownBy(() -> new BenchmarkRun(integrity, List.of())
                        .audited(line -> {})
                        .execute())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dataintegrity");
        assertThat(directory.resolve("short")).doesNotExist();
    }

    private void load() {
        ScriptedDb.reset((operation, key) -> null);
        new BenchmarkRun(Specs.aLoad(100).in(directory.resolve("load")), List.of()).execute();
    }

    private static Specs all(Specs specs) {
        return specs.with("readproportion", "0.2")
                .with("updateproportion", "0.3")
                .with("insertproportion", "0.2")
                .with("readmodifywriteproportion", "0.3");
    }

    private JsonNode audited(Specs specs) throws IOException {
        Path out = directory.resolve("audited");
        new BenchmarkRun(specs.in(out), List.of()).audited(line -> {}).execute();
        return new RunFiles(out).json("audit.json");
    }
}
