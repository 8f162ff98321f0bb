package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.client.audit.LossyDb.Answer;
import io.ycsbdrill.client.audit.journal.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Losses, duplicates, resurrections, phantoms and stale reads are found exactly, and none is invented. */
class AuditTest {
    private static final long RUN = 77;

    private static final List<String> FIELDS = List.of("field0", "field1", "field2");
    private static final int KEYS = 12;
    private static final int WRITERS = 3;

    /** What a schedule knows of one key; everything is one after the other, so there is no doubt about any of it. */
    private static final class Known {
        /** The row before the last write that was applied, and what that wrote; null = no row. */
        private Map<String, byte[]> before;

        private Write.Kind lastKind;
        private boolean unknown;
        /** By field, a number of the acknowledged write that wrote it last, and its kind. */
        private final Map<String, Integer> lastOn = new HashMap<>();

        private final Map<Integer, Write.Kind> kinds = new HashMap<>();
        private final List<Map<String, byte[]>> acknowledged = new ArrayList<>();
        private final List<Integer> acknowledgedNumbers = new ArrayList<>();
        private Map<String, byte[]> refused;
    }

    /** What {@code audit.json} must say. */
    private static final class Expected {
        private final Map<String, Long> counts = new TreeMap<>();

        void add(String pointer, long count) {
            counts.merge(pointer, count, Long::sum);
        }
    }

    @TempDir
    private Path temporary;

    private final LossyDb db = new LossyDb();
    private final Expected expected = new Expected();
    private final Map<String, Known> known = new TreeMap<>();
    private List<DB> clients;
    private Random random;
    private int number;

    @Test
    void findsExactlyWhatWasInjectedOverManyRandomSchedules() throws InterruptedException {
        Map<String, Long> all = new TreeMap<>();
        for (int seed = 0; seed < 1_000; seed++) {
            AuditTest one = new AuditTest();
            one.temporary = temporary;
            one.schedule(seed);
            one.expected.counts.forEach((pointer, count) -> all.merge(pointer, count, Long::sum));
        }
        // Each kind of damage was really there.
        for (String pointer : List.of(
                "/lost/insert",
                "/lost/update",
                "/lost/delete",
                "/phantoms",
                "/staleReads",
                "/unknown/applied",
                "/unknown/notApplied")) {
            assertThat(all.get(pointer)).as(pointer).isGreaterThan(100);
        }
    }

    private void schedule(int seed) throws InterruptedException {
        random = new Random(seed);
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        clients = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            clients.add(audit.around(db, RUN, i));
        }
        for (int i = 0; i < KEYS; i++) {
            known.put("user" + i, new Known());
            if (random.nextBoolean()) {
                db.rows.put("user" + i, plain());
            }
        }
        long start = System.nanoTime();
        for (int i = 0; i < 80; i++) {
            write("user" + random.nextInt(KEYS));
        }
        long end = System.nanoTime();
        known.forEach(this::damage);

        JsonNode found = audit.readBack(changes -> db, history -> start, options());

        for (String pointer : List.of(
                "/ackedLost",
                "/lost/insert",
                "/lost/update",
                "/lost/delete",
                "/phantoms",
                "/staleReads",
                "/unknown/applied",
                "/unknown/notApplied",
                "/unknown/overwritten",
                "/unknown/unresolved",
                "/keys/unreadable")) {
            assertThat(found.at(pointer).asLong())
                    .as("seed %d: %s of %s, expected %s", seed, pointer, found, expected.counts)
                    .isEqualTo(expected.counts.getOrDefault(pointer, 0L));
        }
        assertThat(found.at("/keys/judged").asLong())
                .isEqualTo(found.at("/keys/touched").asLong());
        for (JsonNode finding : found.at("/findings")) {
            if (finding.has("write")) {
                assertThat(finding.at("/startSeconds").asDouble()).isNotNegative();
                assertThat(finding.at("/endSeconds").asDouble())
                        .isBetween(finding.at("/startSeconds").asDouble(), (end - start + 1_000) / 1e9);
            }
        }
    }

    /** One write, honest, refused, or of unknown outcome; of a key with an unknown one nothing more is written. */
    private void write(String key) {
        Known of = known.get(key);
        if (of.unknown) {
            return;
        }
        DB client = clients.get(random.nextInt(WRITERS));
        Write.Kind kind = Write.Kind.values()[random.nextInt(3)];
        int dice = random.nextInt(20);
        db.next = dice == 0
                ? Answer.UNKNOWN_APPLIED
                : dice == 1 ? Answer.UNKNOWN_LOST : dice < 4 ? Answer.REFUSED : Answer.HONEST;
        Map<String, byte[]> before = LossyDb.copy(db.rows.get(key));
        Set<String> fields = new HashSet<>(
                kind == Write.Kind.UPDATE && random.nextBoolean()
                        ? List.of(FIELDS.get(random.nextInt(FIELDS.size())))
                        : FIELDS);
        Status status =
                switch (kind) {
                    case INSERT -> insert(client, key);
                    case UPDATE -> client.update("usertable", key, values(fields));
                    case DELETE -> client.delete("usertable", key);
                };
        if (status.isOk()) {
            acknowledged(of, kind, fields, before);
        } else if (status.getName().equals("UNKNOWN")) {
            of.unknown = true;
            expected.add(db.next == Answer.UNKNOWN_APPLIED ? "/unknown/applied" : "/unknown/notApplied", 1);
        } else if (kind != Write.Kind.DELETE) {
            of.refused = db.written;
        }
    }

    private Status insert(DB client, String key) {
        if (random.nextBoolean()) {
            return client.insert("usertable", key, values(Set.copyOf(FIELDS)));
        }
        return ((BulkInserts) client)
                .insertAll("usertable", List.of(new BulkInserts.Row(key, values(Set.copyOf(FIELDS)))))
                .get(0);
    }

    private void acknowledged(Known of, Write.Kind kind, Set<String> fields, Map<String, byte[]> before) {
        number++;
        of.before = before;
        of.lastKind = kind;
        of.kinds.put(number, kind);
        fields.forEach(field -> of.lastOn.put(field, number));
        if (kind != Write.Kind.DELETE) {
            of.acknowledged.add(db.written);
            of.acknowledgedNumbers.add(number);
        }
    }

    /** At most one damage for each key, of a kind that is certain. */
    private void damage(String key, Known of) {
        Map<String, byte[]> row = db.rows.get(key);
        if (of.unknown || random.nextInt(3) == 0) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                if (of.lastKind != null) {
                    put(key, of.before);
                    lost(of.lastKind);
                }
            }
            case 1 -> {
                if (of.lastKind != null) {
                    db.readsOnce(key, of.before);
                    expected.add("/staleReads", 1);
                }
            }
            case 2 -> {
                if (of.refused != null && row != null) {
                    row.putAll(of.refused);
                    expected.add("/phantoms", 1);
                }
            }
            case 3 -> duplicate(key, of, row);
            default -> {
                if (of.lastKind != null && of.lastKind != Write.Kind.DELETE) {
                    String field = db.rows.get(key).entrySet().stream()
                            .filter(e -> of.lastOn.containsKey(e.getKey()))
                            .findFirst()
                            .orElseThrow()
                            .getKey();
                    byte[] damaged = row.get(field).clone();
                    damaged[12 + random.nextInt(damaged.length - 12)] ^= 1;
                    row.put(field, damaged);
                    expected.add("/phantoms", 1);
                }
            }
        }
    }

    /** An old write is applied once more. */
    private void duplicate(String key, Known of, Map<String, byte[]> row) {
        if (of.acknowledged.isEmpty()) {
            return;
        }
        int at = random.nextInt(of.acknowledged.size());
        Map<String, byte[]> old = of.acknowledged.get(at);
        int oldNumber = of.acknowledgedNumbers.get(at);
        if (row == null) {
            put(key, old);
            lost(Write.Kind.DELETE);
            return;
        }
        Set<Integer> missing = new HashSet<>();
        old.keySet().forEach(field -> missing.add(of.lastOn.get(field)));
        row.putAll(old);
        missing.remove(oldNumber);
        missing.forEach(gone -> lost(of.kinds.get(gone)));
    }

    private void lost(Write.Kind kind) {
        expected.add("/lost/" + kind.name().toLowerCase(Locale.ROOT), 1);
        expected.add("/ackedLost", 1);
    }

    private void put(String key, Map<String, byte[]> row) {
        if (row == null) {
            db.rows.remove(key);
        } else {
            db.rows.put(key, new TreeMap<>(row));
        }
    }

    private Map<String, byte[]> plain() {
        Map<String, byte[]> row = new TreeMap<>();
        FIELDS.forEach(field -> row.put(field, content()));
        return row;
    }

    private Map<String, ByteIterator> values(Set<String> fields) {
        Map<String, ByteIterator> values = new HashMap<>();
        fields.forEach(field -> values.put(field, new ByteArrayByteIterator(content())));
        return values;
    }

    private byte[] content() {
        byte[] content = new byte[20 + random.nextInt(20)];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (' ' + random.nextInt(90));
        }
        return content;
    }

    @Test
    void inventsNothingWhenWritersOverlap() throws Exception {
        random = new Random(1);
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DB client = audit.around(db, RUN, i);
            int writer = i;
            threads.add(new Thread(() -> hammer(client, new Random(writer))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        JsonNode found = audit.readBack(changes -> db, history -> 0, options());

        assertThat(found.at("/ackedLost").asLong()).as("%s", found).isZero();
        assertThat(found.at("/phantoms").asLong()).as("%s", found).isZero();
        assertThat(found.at("/staleReads").asLong()).as("%s", found).isZero();
        assertThat(found.at("/unknown/unresolved").asLong()).isZero();
        assertThat(found.at("/keys/judged").asLong()).isEqualTo(4);
        assertThat(found.at("/writes/ok").asLong()).isGreaterThan(10_000);
    }

    private static void hammer(DB client, Random random) {
        for (int i = 0; i < 5_000; i++) {
            String key = "user" + random.nextInt(4);
            Map<String, ByteIterator> values = new HashMap<>();
            String field = FIELDS.get(random.nextInt(FIELDS.size()));
            boolean all = random.nextBoolean();
            FIELDS.stream()
                    .filter(name -> all || name.equals(field))
                    .forEach(name -> values.put(name, new ByteArrayByteIterator(new byte[30])));
            switch (random.nextInt(8)) {
                case 0 -> client.delete("usertable", key);
                case 1, 2, 3 -> client.insert("usertable", key, all ? values : filled());
                default -> client.update("usertable", key, values);
            }
        }
    }

    private static Map<String, ByteIterator> filled() {
        Map<String, ByteIterator> values = new HashMap<>();
        FIELDS.forEach(name -> values.put(name, new ByteArrayByteIterator(new byte[30])));
        return values;
    }

    @Test
    void aWriteThatHangsIsUnknownAndAKeyThatCannotBeReadIsCounted() throws InterruptedException {
        random = new Random(4);
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        DB silent = new LossyDb() {
            @Override
            public synchronized Status read(
                    String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
                return key.equals("user1") ? Status.ERROR : super.read(table, key, fields, result);
            }
        };
        DB client = audit.around(silent, RUN, 0);
        client.insert("usertable", "user1", values(Set.copyOf(FIELDS)));
        client.insert("usertable", "user2", values(Set.copyOf(FIELDS)));
        DB throwing = audit.around(
                new LossyDb() {
                    @Override
                    public synchronized Status update(String table, String key, Map<String, ByteIterator> values) {
                        throw new IllegalStateException("broken");
                    }
                },
                RUN,
                1);
        assertThatThrownBy(() -> throwing.update("usertable", "user2", values(Set.of("field1"))))
                .hasMessage("broken");

        JsonNode found = audit.readBack(changes -> silent, history -> 0, options(20, 3_000));

        assertThat(found.at("/keys/unreadable").asLong()).isEqualTo(1);
        assertThat(found.at("/keys/judged").asLong()).isEqualTo(1);
        assertThat(found.at("/unknown/notApplied").asLong()).isEqualTo(1);
        assertThat(found.at("/ackedLost").asLong()).isZero();
    }

    @Test
    void aValueTooShortForItsStampIsRefused() {
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        DB client = audit.around(db, RUN, 0);

        assertThatThrownBy(() ->
                        client.insert("usertable", "user1", Map.of("field0", new ByteArrayByteIterator(new byte[19]))))
                .hasMessageContaining("19 bytes")
                .hasMessageContaining("at least 20");
    }

    @Test
    void aWriteToAnotherTableIsRefusedAndNotSent() {
        random = new Random(1);
        LossyDb lossy = new LossyDb();
        DB client = Audit.of(properties(), true, directory(), Load.UNKNOWN).around(lossy, RUN, 0);

        assertThatThrownBy(() -> client.insert("other", "user1", filled()))
                .hasMessageContaining("--audit: the workload writes to table other beside usertable");

        assertThat(lossy.read("other", "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    }

    private Path directory() {
        try {
            return Files.createTempDirectory(temporary, "run");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody knows when it ended. */
    @Test
    void anUnacknowledgedWriteThatALaterReadMissesIsListedWithoutItsEnd() throws Exception {
        random = new Random(1);
        Map<String, byte[]> loaded = Map.of("field0", content());
        db.rows.put("user1", new TreeMap<>(loaded));
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        DB client = audit.around(db, RUN, 0);
        db.next = Answer.UNKNOWN_APPLIED;
        client.update("usertable", "user1", values(Set.of("field0")));
        client.read("usertable", "user1", null, new HashMap<>());
        db.rows.put("user1", new TreeMap<>(loaded));
        client.read("usertable", "user1", null, new HashMap<>());

        JsonNode found = audit.readBack(changes -> db, history -> 0, options());

        assertThat(found.at("/reads/backwards").asLong()).isEqualTo(1);
        JsonNode finding = found.at("/reads/findings/0");
        assertThat(finding.path("found").asText()).isEqualTo("a value from before the run");
        assertThat(finding.has("missed")).isTrue();
        assertThat(finding.has("missedEndSeconds")).isFalse();
    }

    @Test
    void aReadThatMissesTheWholeRowHasFoundNothing() throws Exception {
        random = new Random(1);
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        DB client = audit.around(db, RUN, 0);
        client.insert("usertable", "user1", values(Set.copyOf(FIELDS)));
        db.rows.remove("user1");
        client.read("usertable", "user1", null, new HashMap<>());

        JsonNode found = audit.readBack(changes -> db, history -> 0, options());

        assertThat(found.at("/reads/stale").asLong()).isEqualTo(1);
        assertThat(found.at("/reads/findings/0/found").asText()).isEqualTo("nothing");
    }

    /** As long as copies may still become equal, what a read lacks is not lost. */
    @Test
    void whatArrivesWithinTheTimeThatTheBindingNamesIsNotLost() throws Exception {
        class Late extends LossyDb implements NodeReads {
            private final Duration settle;

            Late(Duration settle) {
                this.settle = settle;
            }

            @Override
            public Guarantee guarantee() {
                return new Guarantee(false, 1, settle);
            }

            @Override
            public Nodes nodes() {
                return Nodes.none("there is one");
            }
        }
        for (Duration settle : List.of(Duration.ofMillis(20), Duration.ZERO)) {
            random = new Random(1);
            Late late = new Late(settle);
            Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
            audit.around(late, RUN, 0).insert("usertable", "user1", filled());
            for (int i = 0; i < 10; i++) {
                late.readsOnce("user1", null);
            }

            JsonNode found = audit.readBack(changes -> late, history -> 0, options(1, 120_000));

            assertThat(found.at("/ackedLost").asLong())
                    .as("settles within %s", settle)
                    .isEqualTo(settle.isZero() ? 1 : 0);
        }
    }

    /** A read by key may be answered by any copy, here by one after the other. */
    @Test
    void oneOfThreeCopiesThatLacksTheRowIsFound() throws Exception {
        class Copies extends LossyDb implements NodeReads {
            private int reads;

            @Override
            public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
                return ++reads % 3 == 0 ? Status.NOT_FOUND : super.read(table, key, fields, result);
            }

            @Override
            public Guarantee guarantee() {
                return new Guarantee(true, 3, Duration.ZERO);
            }

            @Override
            public Nodes nodes() {
                return Nodes.none("nobody says which copy answers");
            }
        }
        random = new Random(1);
        Copies copies = new Copies();
        Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
        audit.around(copies, RUN, 0).insert("usertable", "user1", filled());

        JsonNode found = audit.readBack(changes -> copies, history -> 0, options());

        assertThat(found.at("/readBack/readsOfKey").asInt()).isEqualTo(12);
        assertThat(found.at("/ackedLost").asLong()).isEqualTo(1);
    }

    /** The row was not judged, and counted as judged. */
    @Test
    void aRowWhoseOrdersAreTooManyIsCountedOnce() throws Exception {
        class Strong extends LossyDb implements NodeReads {
            @Override
            public Guarantee guarantee() {
                return new Guarantee(true, 1, Duration.ZERO);
            }

            @Override
            public Nodes nodes() {
                return Nodes.none("there is one");
            }
        }
        for (int unknown : new int[] {2, 20}) {
            random = new Random(1);
            Strong strong = new Strong();
            Audit audit = Audit.of(properties(), true, directory(), Load.UNKNOWN);
            DB client = audit.around(strong, RUN, 0);
            strong.next = Answer.UNKNOWN_LOST;
            for (int i = 0; i < unknown; i++) {
                client.insert("usertable", "user1", filled());
            }
            strong.next = Answer.HONEST;
            client.insert("usertable", "user1", filled());
            strong.next = Answer.UNKNOWN_APPLIED;
            client.delete("usertable", "user1");
            client.read("usertable", "user1", null, new HashMap<>());
            client.insert("usertable", "user1", filled());
            client.read("usertable", "user1", null, new HashMap<>());
            strong.rows.clear();

            JsonNode found = audit.readBack(changes -> strong, history -> 0, options());

            assertThat(found.at("/reads/partlyJudgedRows").asLong()).isEqualTo(unknown == 2 ? 0 : 1);
            assertThat(found.path("shownLost").asLong()).isEqualTo(unknown == 2 ? 1 : 0);
            assertThat(found.path("ackedLost").asLong()).isZero();
        }
    }

    /** A client knows what it has written itself; that reads miss what another has written is nobody's fault then. */
    @Test
    void aPromiseOfOneClientIsNoneOfSeveral() throws Exception {
        class Own extends LossyDb implements NodeReads {
            @Override
            public Guarantee guarantee() {
                return new Guarantee(true, 1, Duration.ZERO, true);
            }

            @Override
            public Nodes nodes() {
                return Nodes.none("there is one");
            }
        }
        random = new Random(1);
        Own own = new Own();
        Path run = directory();
        Audit one = Audit.of(properties(), true, run.resolve("client-1"), Load.UNKNOWN);
        one.around(own, RUN, 0).insert("usertable", "user1", filled());

        assertThat(one.readBack(changes -> own, history -> 0, options())
                        .at("/reads/strong")
                        .asBoolean())
                .isTrue();

        Audit.of(properties(), true, run.resolve("client-2"), Load.UNKNOWN)
                .around(own, RUN, 1)
                .insert("usertable", "user2", filled());
        Audit both = Audit.of(properties(), true, run, Load.UNKNOWN);
        assertThat(both.readBack(changes -> own, history -> 0, options())
                        .at("/reads/strong")
                        .asBoolean())
                .isFalse();
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("fieldcount", "3");
        return properties;
    }

    private static ReadOptions options() {
        return options(0, 120_000);
    }

    /** @param timeoutMillis for which a key that cannot be read is tried */
    private static ReadOptions options(long pauseMillis, long timeoutMillis) {
        return new ReadOptions(1, pauseMillis, timeoutMillis, () -> false, line -> {});
    }
}
