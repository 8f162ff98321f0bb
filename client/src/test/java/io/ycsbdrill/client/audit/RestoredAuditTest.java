package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultInjected;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.report.data.AuditData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** All data is lost in the middle of a run and comes back as of a backup: what the backup did not have is counted, what it must have had is a finding. */
class RestoredAuditTest {
    private static final class Strong extends LossyDb implements NodeReads {
        /** What writes answer; empty = the truth. */
        private Optional<Random> answers = Optional.empty();
        /** Happens while a row is read. */
        private Runnable during = () -> {};
        /** Happens while a row is updated, before it is. */
        private Runnable before = () -> {};

        @Override
        public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
            Status status = super.read(table, key, fields, result);
            during.run();
            return status;
        }

        @Override
        public synchronized Status update(String table, String key, Map<String, ByteIterator> values) {
            before.run();
            draw();
            return super.update(table, key, values);
        }

        @Override
        public synchronized Status insert(String table, String key, Map<String, ByteIterator> values) {
            draw();
            return super.insert(table, key, values);
        }

        @Override
        public synchronized Status delete(String table, String key) {
            draw();
            return super.delete(table, key);
        }

        private void draw() {
            next = Answer.HONEST;
            answers.filter(random -> random.nextInt(4) == 0)
                    .ifPresent(random -> next = List.of(Answer.REFUSED, Answer.UNKNOWN_APPLIED, Answer.UNKNOWN_LOST)
                            .get(random.nextInt(3)));
        }

        @Override
        public Guarantee guarantee() {
            return new Guarantee(true, 1, Duration.ZERO);
        }

        @Override
        public Nodes nodes() {
            return Nodes.none("there is one");
        }
    }

    @TempDir
    private Path run;

    private Strong db;
    private Audit audit;
    private DB client;
    private List<DB> clients;
    private Map<String, Map<String, byte[]>> backup;

    @BeforeEach
    void threeRows() {
        begin(run);
        insert("user1");
        insert("user2");
        insert("user3");
    }

    private void begin(Path directory) {
        run = directory;
        db = new Strong();
        Properties properties = new Properties();
        properties.setProperty("fieldcount", "2");
        audit = Audit.of(properties, true, run, Load.UNKNOWN);
        clients = List.of(audit.around(db, 77, 0), audit.around(db, 77, 1));
        client = clients.get(0);
    }

    private static HashMap<String, ByteIterator> values(String... fields) {
        HashMap<String, ByteIterator> values = new HashMap<>();
        for (String field : fields) {
            values.put(field, new ByteArrayByteIterator("x".repeat(40).getBytes(StandardCharsets.UTF_8)));
        }
        return values;
    }

    private void insert(String key) {
        client.insert("usertable", key, values("field0", "field1"));
    }

    private void update(String key, String... fields) {
        client.update("usertable", key, values(fields));
    }

    private void read(String key) {
        client.read("usertable", key, null, new HashMap<>());
    }

    /** As a run writes it. */
    private void mark(Marker marker) {
        try {
            ObjectNode line = new ObjectMapper()
                    .createObjectNode()
                    .put("at_ns", marker.atNanos())
                    .put("kind", marker.kind())
                    .put("label", marker.label());
            marker.fields().forEach(line::put);
            Files.writeString(
                    run.resolve("markers.jsonl"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Occurrence of(Fault fault) {
        return new Occurrence("step", 1, fault.name(), fault.name());
    }

    /** What the database has now is what comes back, or what it has at a later {@link #copy}. */
    private void backUp() {
        long requested = System.nanoTime();
        copy();
        mark(new FaultInjected(System.nanoTime(), requested, "node1", of(new BackUp()), Effect.RELEASED));
    }

    private void copy() {
        synchronized (db) {
            backup = new TreeMap<>();
            db.rows.forEach((key, row) -> backup.put(key, LossyDb.copy(row)));
        }
    }

    private void kill(String node) {
        mark(new FaultInjected(
                System.nanoTime(), System.nanoTime(), node, of(new BackUp.Restore(Duration.ZERO)), Effect.NODE_DOWN));
    }

    private void loseAndRestore() {
        kill("node1");
        kill("node2");
        db.rows.clear();
        backup.forEach((key, row) -> db.rows.put(key, LossyDb.copy(row)));
        restored();
    }

    private void restored() {
        mark(new EngineObserved(System.nanoTime(), "node1", EngineEvent.Signal.RESTORED, "faults", "all is back"));
    }

    private JsonNode judged() throws InterruptedException {
        return audit.readBack(
                changes -> db, history -> 0, new ReadOptions(1, 0, 120_000, () -> false, line -> {}), 100);
    }

    private static void isClean(JsonNode found) {
        assertThat(new AuditData(found).isClean()).as(found.toString()).isTrue();
    }

    @Test
    void whatWasWrittenAfterTheBackupIsGoneAndNoFinding() throws InterruptedException {
        backUp();
        update("user1", "field0");
        update("user1", "field0");
        read("user1");
        client.delete("usertable", "user2");
        read("user2");
        insert("user9");
        read("user9");
        loseAndRestore();
        read("user1");
        read("user2");
        read("user9");
        update("user3", "field1");

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/acknowledged").asLong()).isEqualTo(4);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(4);
        assertThat(found.at("/restore/rpoSeconds").asDouble())
                .isPositive()
                .isLessThan(found.at("/restore/lostSeconds").asDouble()
                        - found.at("/restore/backupSeconds").asDouble());
        assertThat(found.at("/unknown/unresolved").asLong()).isZero();
        assertThat(new AuditData(found).lines().get(1)).isNotEmpty();
        assertThat(new AuditData(found).restore().orElseThrow().text())
                .matches(
                        "restored from a backup: of 4 writes that were acknowledged from its request to the loss, \\d+\\.\\d s,"
                                + " at least 4 are gone, as is to be expected; the oldest that was found gone began .* before the"
                                + " loss");
    }

    /** It is older than the request of the backup, and was acknowledged after it. */
    @Test
    void aWriteThatWasUnderWayWhenTheBackupWasAskedForIsInTheBound() throws InterruptedException {
        db.before = this::backUp;
        update("user1", "field0");
        db.before = () -> {};
        loseAndRestore();

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/rpoAtMostSeconds").asDouble())
                .isEqualTo(found.at("/restore/rpoSeconds").asDouble())
                .isGreaterThan(found.at("/restore/lostSeconds").asDouble()
                        - found.at("/restore/backupSeconds").asDouble());
    }

    @Test
    void anOlderBackupThanTheOneThatWasMadeIsFound() throws InterruptedException {
        copy();
        Map<String, Map<String, byte[]>> older = backup;
        update("user1", "field0");
        client.delete("usertable", "user2");
        insert("user4");
        backUp();
        backup = older;
        update("user3", "field0");
        loseAndRestore();

        JsonNode found = judged();

        assertThat(found.at("/lost/update").asLong()).isEqualTo(1);
        assertThat(found.at("/lost/delete").asLong()).isEqualTo(1);
        assertThat(found.at("/lost/insert").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/rpoSeconds").asDouble())
                .isGreaterThan(found.at("/restore/lostSeconds").asDouble()
                        - found.at("/restore/backupSeconds").asDouble());
    }

    @Test
    void aRowThatTheBackupLacksIsFound() throws InterruptedException {
        backUp();
        backup.remove("user2");
        loseAndRestore();
        read("user2");

        JsonNode found = judged();

        assertThat(found.at("/lost/insert").asLong()).isEqualTo(1);
        assertThat(found.at("/reads/stale").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/gone").asLong()).isZero();
    }

    @Test
    void whatIsWrittenAfterTheRestoreMustBeThere() throws InterruptedException {
        backUp();
        update("user1", "field0", "field1");
        Map<String, byte[]> taken = LossyDb.copy(db.rows.get("user1"));
        loseAndRestore();
        update("user1", "field0", "field1");
        db.rows.put("user1", taken); // not even by a write that the restore took back
        read("user1");
        update("user2", "field1");
        db.rows.put("user2", LossyDb.copy(backup.get("user2")));

        JsonNode found = judged();

        assertThat(found.at("/lost/update").asLong()).isEqualTo(2);
        assertThat(found.at("/reads/stale").asLong()).isEqualTo(1);
    }

    @Test
    void readsAreJudgedBeforeTheLoss() throws InterruptedException {
        backUp();
        Map<String, byte[]> old = LossyDb.copy(db.rows.get("user1"));
        update("user1", "field0", "field1");
        db.readsOnce("user1", old);
        read("user1");
        loseAndRestore();

        JsonNode found = judged();

        assertThat(found.at("/reads/stale").asLong()).isEqualTo(1);
        assertThat(found.at("/ackedLost").asLong()).isZero();
    }

    @Test
    void whatTheBackupHadAfterAllOrWasOverwrittenSinceIsNotGone() throws InterruptedException {
        backUp();
        update("user1", "field0");
        copy(); // the backup takes its time
        update("user2", "field0");
        loseAndRestore();
        update("user2", "field0");

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/acknowledged").asLong()).isEqualTo(2);
        assertThat(found.at("/restore/gone").asLong()).isZero();
        assertThat(found.at("/restore/rpoSeconds").isMissingNode()).isTrue();
    }

    /** A hot row is written anew at once: that the restore took it is not seen, and the bound is the time since the backup. */
    @Test
    void whatWasLostAndWrittenAnewIsInTheBound() throws InterruptedException {
        backUp();
        for (int i = 0; i < 100; i++) {
            update("user1", "field0");
        }
        loseAndRestore();
        update("user1", "field0");

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/acknowledged").asLong()).isEqualTo(100);
        assertThat(found.at("/restore/gone").asLong()).isZero();
        assertThat(found.at("/restore/rpoAtMostSeconds").asDouble())
                .isPositive()
                .isCloseTo(
                        found.at("/restore/lostSeconds").asDouble()
                                - found.at("/restore/backupSeconds").asDouble(),
                        within(2e-6));
        assertThat(found.at("/restore/rpoAtMostSeconds").asText()).hasSizeLessThan(14);
        assertThat(new AuditData(found).restore().orElseThrow().text())
                .contains("of 100 writes", "at least 0 are gone");
    }

    /** Its client got the processor only after the kill. */
    @Test
    void anAnswerThatIsSeenLateIsTakenBack() throws InterruptedException {
        backUp();
        kill("node1");
        kill("node2");
        update("user1", "field0");
        db.rows.clear();
        backup.forEach((key, row) -> db.rows.put(key, LossyDb.copy(row)));
        restored();

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/rpoSeconds").isMissingNode())
                .as("after the loss")
                .isTrue();
    }

    /** The data were not removed: the nodes were started again with what they had, or should have had. */
    @Test
    void killsWithoutARemovalExcuseNothing() throws InterruptedException {
        backUp();
        update("user1", "field0");
        kill("node1");
        kill("node2");
        db.rows.putAll(backup);

        JsonNode found = judged();

        assertThat(found.has("restore")).isFalse();
        assertThat(found.at("/lost/update").asLong()).isEqualTo(1);
        assertThat(found.has("restoreProblem")).isFalse();
    }

    @Test
    void aRemovalWithoutABackupExcusesNothing() throws InterruptedException {
        insert("user4");
        kill("node1");
        db.rows.clear();
        restored();

        JsonNode found = judged();

        assertThat(found.has("restore")).isFalse();
        assertThat(found.at("/lost/insert").asLong()).isEqualTo(4);
        assertThat(new AuditData(found).lines())
                .contains(
                        "markers.jsonl tells of a restore without a loss and a backup before, so nothing is excused by"
                                + " it: what is missing counts as lost");
    }

    /** What was acknowledged between two backups must be in the second one. */
    @Test
    void anEarlierBackupInThePlaceOfTheLastIsFound() throws InterruptedException {
        backUp();
        Map<String, Map<String, byte[]>> earlier = backup;
        update("user1", "field0");
        backUp();
        backup = earlier;
        update("user2", "field0");
        loseAndRestore();

        JsonNode found = judged();

        assertThat(found.at("/lost/update").asLong()).isEqualTo(1);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(1);
    }

    @Test
    void twoRestoresExcuseNothing() throws InterruptedException {
        backUp();
        update("user1", "field0");
        loseAndRestore();
        restored();

        JsonNode found = judged();

        assertThat(found.at("/lost/update").asLong()).isEqualTo(1);
        assertThat(new AuditData(found).lines())
                .anyMatch(line -> line.startsWith("markers.jsonl tells of 2 restores, so nothing is excused by it"));
    }

    @Test
    void aStaleReadBeforeTheBackupIsOneFinding() throws InterruptedException {
        Map<String, byte[]> old = LossyDb.copy(db.rows.get("user1"));
        update("user1", "field0", "field1");
        db.readsOnce("user1", old);
        read("user1");
        backUp();
        update("user2", "field0");
        loseAndRestore();

        assertThat(judged().at("/reads/stale").asLong()).isEqualTo(1);
    }

    /** Merged files have them in any order. */
    @Test
    void theBackupBeforeTheLossIsTheOneThatCounts() throws Exception {
        backUp();
        update("user1", "field0");
        loseAndRestore();
        backUp(); // of another drill
        List<String> lines = Files.readAllLines(run.resolve("markers.jsonl"));
        Collections.reverse(lines);
        Files.write(run.resolve("markers.jsonl"), lines);

        JsonNode found = judged();

        isClean(found);
        assertThat(found.at("/restore/gone").asLong()).isEqualTo(1);
    }

    @Test
    void markersThatCannotBeReadStopNoAudit() throws Exception {
        Files.writeString(run.resolve("markers.jsonl"), "{\"kind\":\"window\", damaged\n");
        isClean(judged());

        begin(Files.createDirectory(run.resolve("other")));
        insert("user1");
        Files.writeString(run.resolve("markers.jsonl"), "{\"kind\":\"fault-injected\", damaged\n");

        JsonNode found = judged();

        isClean(found);
        assertThat(new AuditData(found).lines())
                .anyMatch(line -> line.startsWith(
                        "markers.jsonl cannot be read, so a restore from a backup would not be" + " known: "));
    }

    @Test
    void aReadThatWasUnderWayIsNotCounted() throws InterruptedException {
        backUp();
        read("user1");
        kill("node1");
        db.during = () -> {
            loseAndRestore();
            db.during = () -> {};
        };
        read("user1");
        read("user1");

        assertThat(judged().at("/reads/judged").asLong()).isEqualTo(2);
    }

    /** Two threads, calls that fail or whose outcome is unknown, a backup while both write, and a loss: nothing is invented. */
    @Test
    void aRestoreOfARightBackupIsAlwaysClean(@TempDir Path directories) throws Exception {
        long gone = 0;
        for (int seed = 0; seed < 300; seed++) {
            begin(Files.createDirectory(directories.resolve("run" + seed)));
            db.answers = Optional.of(new Random(seed));
            both(seed, () -> {});
            long requested = System.nanoTime();
            both(seed + 1000, this::copy);
            mark(new FaultInjected(System.nanoTime(), requested, "node1", of(new BackUp()), Effect.RELEASED));
            both(seed + 2000, () -> {});
            loseAndRestore();
            both(seed + 3000, () -> {});

            JsonNode found = judged();

            assertThat(new AuditData(found).isClean())
                    .as("seed %d: %s", seed, found)
                    .isTrue();
            gone += found.at("/restore/gone").asLong();
        }
        assertThat(gone).isGreaterThan(300);
    }

    /** The same with a backup that is older than it says, by one write at least that nothing comes after. */
    @Test
    void aWrongBackupIsAlwaysFound(@TempDir Path directories) throws Exception {
        for (int seed = 0; seed < 100; seed++) {
            begin(Files.createDirectory(directories.resolve("run" + seed)));
            insert("user8");
            db.answers = Optional.of(new Random(seed));
            both(seed, () -> {});
            copy();
            Map<String, Map<String, byte[]>> older = backup;
            db.answers = Optional.empty();
            update("user8", "field0");
            db.answers = Optional.of(new Random(seed));
            backUp();
            backup = older;
            both(seed + 2000, () -> {});
            loseAndRestore();
            both(seed + 3000, () -> {});

            assertThat(judged().at("/lost/update").asLong()).as("seed %d", seed).isPositive();
        }
    }

    private void both(int seed, Runnable meanwhile) throws Exception {
        DB other = clients.get(1);
        Thread second = new Thread(() -> some(other, new Random(-seed)), "client-2");
        second.start();
        Random random = new Random(seed);
        some(client, random);
        meanwhile.run();
        some(client, random);
        second.join();
    }

    private static void some(DB by, Random random) {
        for (int i = 0; i < 6; i++) {
            String key = "user" + random.nextInt(4);
            switch (random.nextInt(5)) {
                case 0 -> by.insert("usertable", key, values("field0", "field1"));
                case 1 -> by.delete("usertable", key);
                case 2 -> by.update("usertable", key, values("field" + random.nextInt(2)));
                default -> by.read("usertable", key, null, new HashMap<>());
            }
        }
    }
}
