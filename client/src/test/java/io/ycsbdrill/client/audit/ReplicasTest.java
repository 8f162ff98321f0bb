package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.client.audit.LossyDb.Answer;
import io.ycsbdrill.client.audit.journal.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** What one node has lost, kept, has too much or has otherwise is found exactly, on that node, and nothing is invented. */
class ReplicasTest {
    private static final long RUN = 77;

    @TempDir
    private Path temporary;

    private static final List<String> FIELDS = List.of("field0", "field1", "field2");
    private static final int KEYS = 12;

    /** What a schedule knows of one key; one writer, so there is no doubt about any of it. */
    private static final class Known {
        /** The row before the last acknowledged write; null = no row. */
        private Map<String, byte[]> before;

        private Write.Kind lastKind;
        private boolean unknown;
        private final Set<String> written = new TreeSet<>();
    }

    private Random random;
    private FakeNodes nodes;
    private final Map<String, Known> known = new TreeMap<>();
    /** What must be found: {@code key@node}. */
    private final Set<String> wrong = new TreeSet<>();

    private final Set<String> different = new TreeSet<>();
    private final Map<String, Integer> injected = new TreeMap<>();
    private int late;
    private int unreadable;

    @Test
    void findsExactlyWhatWasDoneToOneNodeOverManyRandomSchedules() throws Exception {
        Map<String, Integer> all = new TreeMap<>();
        for (int seed = 0; seed < 1_000; seed++) {
            ReplicasTest one = new ReplicasTest();
            one.temporary = temporary;
            one.schedule(seed);
            one.injected.forEach((what, count) -> all.merge(what, count, Integer::sum));
        }
        assertThat(all.keySet())
                .containsExactlyInAnyOrder("gone", "old", "extra", "damaged", "other", "miscounted", "late", "silent");
        assertThat(all.values()).allMatch(count -> count > 50);
    }

    private void schedule(int seed) throws Exception {
        random = new Random(seed);
        int size = 2 + random.nextInt(3);
        nodes = new FakeNodes(size, random.nextBoolean() ? size : 1 + random.nextInt(size));
        nodes.atOnce(1 + seed % 5, 1 + seed % 3);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < KEYS; i++) {
            known.put("user" + i, new Known());
            if (random.nextBoolean()) {
                nodes.rows.put("user" + i, row());
            }
        }
        for (int i = 0; i < 60; i++) {
            write(client, "user" + random.nextInt(KEYS));
        }
        nodes.replicate();
        known.forEach((key, of) -> {
            for (int i = 0; i < nodes.size(); i++) {
                if (!nodes.holders(key).contains(i)) {
                    nodes.node(i).isNotToHave(key);
                }
            }
        });
        known.keySet().removeIf(key -> !touched.contains(key));
        known.forEach(this::damage);

        JsonNode found = audit.readBack(nodes, history -> 0, options(0));

        JsonNode replicas = found.path("replicas");
        Set<String> listed = new TreeSet<>();
        for (JsonNode difference : replicas.path("differences")) {
            if (!difference.path("kind").asText().equals("copies")) {
                listed.add(difference.path("key").asText() + "@"
                        + difference.path("node").asText());
            }
        }
        assertThat(listed).as("seed %d: %s", seed, replicas).isEqualTo(wrong);
        assertThat(replicas.path("different").asInt())
                .as("seed %d: %s", seed, replicas)
                .isEqualTo(different.size());
        assertThat(replicas.path("late").asInt())
                .as("seed %d: %s", seed, replicas)
                .isEqualTo(late);
        assertThat(replicas.path("unreadable").asInt()).isEqualTo(unreadable);
        assertThat(replicas.path("agree").asText())
                .isEqualTo(different.isEmpty() ? unreadable > 0 ? "unknown" : "yes" : "no");
        assertThat(found.path("ackedLost").asInt()).as("what users see").isZero();
        assertThat(found.path("phantoms").asInt()).isZero();
        hashesAreThoseOfTheRows(replicas);
    }

    private final Set<String> touched = new TreeSet<>();

    private void write(DB client, String key) {
        Known of = known.get(key);
        if (of.unknown) {
            return;
        }
        touched.add(key);
        Write.Kind kind = Write.Kind.values()[random.nextInt(3)];
        int dice = random.nextInt(20);
        nodes.next = dice == 0
                ? Answer.UNKNOWN_APPLIED
                : dice == 1 ? Answer.UNKNOWN_LOST : dice < 4 ? Answer.REFUSED : Answer.HONEST;
        Map<String, byte[]> before = LossyDb.copy(nodes.rows.get(key));
        Set<String> fields = kind == Write.Kind.UPDATE && random.nextBoolean()
                ? Set.of(FIELDS.get(random.nextInt(FIELDS.size())))
                : Set.copyOf(FIELDS);
        Status status =
                switch (kind) {
                    case INSERT -> client.insert("usertable", key, values());
                    case UPDATE -> client.update("usertable", key, values(fields));
                    case DELETE -> client.delete("usertable", key);
                };
        of.unknown = status.getName().equals("UNKNOWN");
        if (status.isOk()) {
            of.before = before;
            of.lastKind = kind;
            if (kind == Write.Kind.UPDATE) {
                of.written.addAll(fields);
            } else {
                of.written.clear();
                of.written.addAll(kind == Write.Kind.INSERT ? FIELDS : List.of());
            }
        }
    }

    /** At most one damage for each key, of a kind that is certain, on one node that is to have a copy. */
    private void damage(String key, Known of) {
        if (of.unknown || random.nextInt(3) == 0) {
            return;
        }
        List<Integer> holders = List.copyOf(new TreeSet<>(nodes.holders(key)));
        int at = holders.get(random.nextInt(holders.size()));
        FakeNodes.NodeDb node = nodes.node(at);
        Map<String, byte[]> row = node.rows.get(key);
        boolean written = of.lastKind != null;
        switch (random.nextInt(9)) {
            case 0 -> {
                if (row != null) {
                    node.rows.remove(key);
                    wrong("gone", key, at, written, holders);
                }
            }
            case 1 -> {
                if (written) {
                    put(node, key, of.before);
                    wrong("old", key, at, true, holders);
                }
            }
            case 2 -> {
                if (row == null) {
                    node.rows.put(key, row());
                    wrong("extra", key, at, written, holders);
                }
            }
            case 3 -> {
                if (row != null && !of.written.isEmpty()) {
                    String field = of.written.iterator().next();
                    row.put(field, changed(row.get(field)));
                    wrong("damaged", key, at, true, holders);
                }
            }
            case 4, 8 -> {
                if (row != null && of.written.size() < FIELDS.size()) {
                    String field = FIELDS.stream()
                            .filter(name -> !of.written.contains(name))
                            .findFirst()
                            .orElseThrow();
                    row.put(field, changed(row.get(field)));
                    wrong("other", key, at, false, holders);
                }
            }
            case 5 -> {
                node.isNotToHave(key);
                injected.merge("miscounted", 1, Integer::sum);
                different.add(key);
            }
            case 6 -> {
                if (written) {
                    node.readsOnce(key, of.before);
                    injected.merge("late", 1, Integer::sum);
                    late++;
                }
            }
            default -> {
                node.keepsSilentOn(key);
                injected.merge("silent", 1, Integer::sum);
                unreadable++;
            }
        }
    }

    /** @param judged whether the writes alone tell that the copy is wrong; else only the majority tells, if there is one */
    private void wrong(String what, String key, int at, boolean judged, List<Integer> holders) {
        injected.merge(what, 1, Integer::sum);
        if (holders.size() > 1) {
            different.add(key);
        }
        if (judged || holders.size() > 2) {
            wrong.add(key + "@n" + at);
        } else if (holders.size() == 2) {
            holders.forEach(holder -> wrong.add(key + "@n" + holder));
        }
    }

    private void hashesAreThoseOfTheRows(JsonNode replicas) throws Exception {
        for (int i = 0; i < nodes.size(); i++) {
            JsonNode node = replicas.path("nodes").path(i);
            if (node.path("unreadable").asLong() > 0) {
                assertThat(node.path("hash").isNull()).isTrue();
                continue;
            }
            BigInteger sum = BigInteger.ZERO;
            int held = 0;
            for (String key : known.keySet()) {
                Map<String, byte[]> row = nodes.node(i).rows.get(key);
                if (row != null) {
                    sum = sum.add(documentedHash(key, row));
                    held++;
                }
            }
            assertThat(node.path("held").asInt()).isEqualTo(held);
            assertThat(node.path("hash").asText())
                    .hasSize(64)
                    .isEqualTo(String.format("%064x", sum.mod(BigInteger.TWO.pow(256))));
        }
    }

    /** By docs/audit.md. */
    private static BigInteger documentedHash(String key, Map<String, byte[]> row) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        part(sha, key.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> field : new TreeMap<>(row).entrySet()) {
            part(sha, field.getKey().getBytes(StandardCharsets.UTF_8));
            part(sha, field.getValue());
        }
        return new BigInteger(1, sha.digest());
    }

    private static void part(MessageDigest sha, byte[] bytes) {
        int length = bytes.length;
        sha.update(new byte[] {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        sha.update(bytes);
    }

    @Test
    void fullReplicasHaveTheSameHashWhateverTheOrderOfReading() throws Exception {
        random = new Random(5);
        nodes = new FakeNodes(3, 3);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < 2_000; i++) {
            client.insert("usertable", "user" + i, values());
        }
        nodes.replicate();

        JsonNode replicas =
                audit.readBack(nodes, history -> 0, options(4, 0, 120_000)).path("replicas");

        assertThat(replicas.path("agree").asText()).isEqualTo("yes");
        assertThat(replicas.at("/nodes/0/held").asInt()).isEqualTo(2_000);
        assertThat(replicas.at("/nodes/0/hash").asText())
                .isEqualTo(replicas.at("/nodes/1/hash").asText())
                .isEqualTo(replicas.at("/nodes/2/hash").asText());
        assertThat(replicas.path("problems")).isEmpty();
    }

    @Test
    void copiesAreReadTogetherWhereTheBindingCan() throws Exception {
        random = new Random(5);
        nodes = new FakeNodes(3, 3);
        nodes.atOnce(32, 32);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < 2_000; i++) {
            client.insert("usertable", "user" + i, values());
        }
        nodes.replicate();
        nodes.node(1).rows.remove("user7");

        JsonNode replicas =
                audit.readBack(nodes, history -> 0, options(4, 0, 120_000)).path("replicas");

        assertThat(replicas.at("/differences").findValuesAsText("key")).containsOnly("user7");
        assertThat(replicas.at("/nodes/0/held").asInt()).isEqualTo(2_000);
        assertThat(nodes.node(0).reads())
                .as("each row, and what differs three times")
                .isEqualTo(2_002);
        assertThat(nodes.node(0).calls()).isBetween(2_000 / 32, 2_000 / 32 + 4);
    }

    /** It made all others of its call unreadable, for good, and what was lost among them was not found. */
    @Test
    void aKeyWithoutAnAnswerKeepsNoOtherFromBeingCompared() throws Exception {
        random = new Random(5);
        nodes = new FakeNodes(3, 3);
        nodes.atOnce(32, 32);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < 40; i++) {
            client.insert("usertable", "user" + i, values());
        }
        nodes.replicate();
        nodes.node(1).answersAllOrNone();
        nodes.node(1).keepsSilentOn("user3");
        nodes.node(1).rows.remove("user7");

        JsonNode replicas = audit.readBack(nodes, history -> 0, options(0)).path("replicas");

        assertThat(replicas.path("unreadable").asInt()).isEqualTo(1);
        assertThat(replicas.path("different").asInt()).isEqualTo(1);
        assertThat(replicas.at("/differences").findValuesAsText("key")).containsOnly("user7");
        assertThat(replicas.at("/nodes/1/held").asInt()).isEqualTo(38);
    }

    @Test
    void aNodeThatIsDownIsUnreadableAndNeverTakenForRight() throws Exception {
        random = new Random(6);
        nodes = new FakeNodes(3, 3);
        nodes.atOnce(4, 4);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < 10; i++) {
            client.insert("usertable", "user" + i, values());
        }
        nodes.replicate();
        nodes.down(1);

        JsonNode found = audit.readBack(nodes, history -> 0, options(0));

        JsonNode replicas = found.path("replicas");
        assertThat(replicas.path("agree").asText()).isEqualTo("unknown");
        assertThat(replicas.path("unreadable").asInt()).isEqualTo(10);
        assertThat(replicas.at("/nodes/0/held").asInt()).isEqualTo(10);
        assertThat(replicas.at("/nodes/1/unreadable").asInt()).isEqualTo(10);
        assertThat(replicas.at("/nodes/1/hash").isNull()).isTrue();
        assertThat(replicas.path("problems").toString()).contains("\"n1: connection: n1 is down\"");
        assertThat(found.at("/keys/unreadable").asInt()).as("users read all").isZero();
    }

    @Test
    void theKeysWrittenLastTellWhenAllCopiesWereEqual() throws Exception {
        random = new Random(8);
        nodes = new FakeNodes(3, 3);
        Audit audit = audit();
        DB client = audit.around(nodes, RUN, 0);
        for (int i = 0; i < 50; i++) {
            client.insert("usertable", "user" + i, values());
        }
        nodes.replicate();

        JsonNode equalAtOnce = convergence(audit, 10);
        assertThat(equalAtOnce.path("keys").asInt()).isEqualTo(10);
        assertThat(equalAtOnce.path("fromSeconds").asDouble()).isZero();
        assertThat(equalAtOnce.path("toSeconds").asDouble()).isPositive();

        nodes.node(1).readsOnce("user49", null);
        nodes.node(2).readsOnce("user0", null); // not one of them
        JsonNode equalLater = convergence(audit, 10);
        assertThat(equalLater.path("fromSeconds").asDouble()).isPositive();
        assertThat(equalLater.path("toSeconds").asDouble())
                .isGreaterThan(equalLater.path("fromSeconds").asDouble());

        nodes.node(1).rows.remove("user45");
        assertThat(convergence(audit, 10).isNull()).as("never equal").isTrue();
        assertThat(convergence(audit, 0).isNull()).isTrue();
    }

    /** After a failover that has lost writes all servers lack the same; the look would last for hours. */
    @Test
    void whatAllCopiesHaveLostIsNotReadAgainForAsLongAsOneOfThemMayBeLate() throws Exception {
        random = new Random(9);
        nodes = new FakeNodes(3, 3);
        nodes.settle(Duration.ofHours(1));
        Audit audit = audit();
        audit.around(nodes, RUN, 0).insert("usertable", "user1", values());
        nodes.rows.remove("user1"); // with all its copies

        JsonNode found = audit.readBack(nodes, history -> 0, options(1, 1, 120_000), 10);

        assertThat(found.path("ackedLost").asInt()).isEqualTo(1);
        assertThat(found.at("/replicas/agree").asText()).isEqualTo("yes");
        assertThat(nodes.node(0).reads()).isLessThan(10);
    }

    /** The node that is down may be the one that has the write. */
    @Test
    void whatIsLackingIsReadAgainForAsLongAsItMayBeLateWhenANodeDoesNotAnswer() throws Exception {
        random = new Random(9);
        nodes = new FakeNodes(3, 3);
        nodes.settle(Duration.ofMillis(20));
        Audit audit = audit();
        audit.around(nodes, RUN, 0).insert("usertable", "user1", values());
        nodes.rows.remove("user1"); // with the copies of those that are up
        nodes.down(2);

        audit.readBack(nodes, history -> 0, options(1, 1, 0));

        assertThat(nodes.node(0).reads()).isGreaterThan(20);
    }

    @Test
    void copiesThatAnotherNodeMayHaveAnsweredForDoNotTellWhenTheyWereEqual() throws Exception {
        random = new Random(8);
        nodes = new FakeNodes(3, 3);
        Audit audit = audit();
        audit.around(nodes, RUN, 0).insert("usertable", "user1", values());
        nodes.replicate();
        nodes.node(2).isDoubtful("n2 was not connected all the time");

        assertThat(convergence(audit, 10).isNull()).isTrue();
    }

    private JsonNode convergence(Audit audit, int newest) throws Exception {
        return audit.readBack(nodes, history -> 0, options(4, 0, 120_000), newest)
                .at("/replicas/convergence");
    }

    @Test
    void nothingIsSaidOfCopiesThatAnotherNodeMayHaveAnsweredFor() throws Exception {
        random = new Random(6);
        nodes = new FakeNodes(3, 3);
        Audit audit = audit();
        audit.around(nodes, RUN, 0).insert("usertable", "user1", values());
        nodes.replicate();
        nodes.node(2).isDoubtful("n2 was not connected all the time");

        JsonNode replicas = audit.readBack(nodes, history -> 0, options(0)).path("replicas");

        assertThat(replicas.path("agree").asText()).isEqualTo("unknown");
        assertThat(replicas.at("/nodes/0/unreadable").asInt()).isEqualTo(1);
        assertThat(replicas.at("/nodes/0/hash").isNull()).isTrue();
        assertThat(replicas.path("problems").toString()).contains("n2 was not connected all the time");
    }

    @Test
    void whatIsCancelledIsNotCalledEqual() throws Exception {
        random = new Random(7);
        nodes = new FakeNodes(2, 2);
        Audit audit = audit();
        audit.around(nodes, RUN, 0).insert("usertable", "user1", values());
        nodes.replicate();
        ReadOptions cancelled = new ReadOptions(1, 0, 100, () -> true, line -> {});

        JsonNode replicas = audit.readBack(nodes, history -> 0, cancelled).path("replicas");

        assertThat(replicas.path("agree").asText()).isEqualTo("unknown");
        assertThat(replicas.at("/nodes/0/unreadable").asInt()).isEqualTo(1);
    }

    @Test
    void saysWhyNothingIsCompared() throws Exception {
        random = new Random(8);
        LossyDb one = new LossyDb();
        Audit plain = audit();
        plain.around(one, RUN, 0).insert("usertable", "user1", values());
        class Routing extends LossyDb implements NodeReads {
            @Override
            public Nodes nodes() {
                return Nodes.none("rows are sent to their shards");
            }
        }
        Routing routing = new Routing();
        Audit routed = audit();
        routed.around(routing, RUN, 0).insert("usertable", "user1", values());

        JsonNode without =
                plain.readBack(changes -> one, history -> 0, options(0)).path("replicas");
        JsonNode with =
                routed.readBack(changes -> routing, history -> 0, options(0)).path("replicas");

        assertThat(without.path("available").asBoolean(true)).isFalse();
        assertThat(without.path("reason").asText()).contains("LossyDb", "cannot read a single node");
        assertThat(with.path("available").asBoolean(true)).isFalse();
        assertThat(with.path("reason").asText()).isEqualTo("rows are sent to their shards");
        assertThat(with.path("agree").asText()).isEqualTo("unknown");
    }

    private Audit audit() {
        Properties properties = new Properties();
        properties.setProperty("fieldcount", "3");
        try {
            return Audit.of(properties, true, Files.createTempDirectory(temporary, "run"), Load.UNKNOWN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param timeoutMillis for which what cannot be read is tried */
    private static ReadOptions options(long timeoutMillis) {
        return options(1, 0, timeoutMillis);
    }

    private static ReadOptions options(int threads, long pauseMillis, long timeoutMillis) {
        return new ReadOptions(threads, pauseMillis, timeoutMillis, () -> false, line -> {});
    }

    private static void put(LossyDb node, String key, Map<String, byte[]> row) {
        if (row == null) {
            node.rows.remove(key);
        } else {
            node.rows.put(key, new TreeMap<>(row));
        }
    }

    private byte[] changed(byte[] value) {
        byte[] changed = value.clone();
        changed[12 + random.nextInt(changed.length - 12)] ^= 1;
        return changed;
    }

    private Map<String, byte[]> row() {
        Map<String, byte[]> row = new TreeMap<>();
        FIELDS.forEach(field -> row.put(field, content()));
        return row;
    }

    private Map<String, ByteIterator> values() {
        return values(Set.copyOf(FIELDS));
    }

    private Map<String, ByteIterator> values(Set<String> fields) {
        Map<String, ByteIterator> values = new HashMap<>();
        fields.forEach(field -> values.put(field, new ByteArrayByteIterator(content())));
        return values;
    }

    private byte[] content() {
        byte[] content = new byte[20 + random.nextInt(20)];
        random.nextBytes(content);
        return content;
    }
}
