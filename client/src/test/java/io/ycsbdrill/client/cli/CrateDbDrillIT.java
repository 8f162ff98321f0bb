package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.jdbc.JdbcBinding;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.cratedb.CrateDbEngine;
import io.ycsbdrill.fault.node.cratedb.TestedCrateDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** On three real servers of CrateDB, through {@code rest} and through {@code jdbc} with PostgreSQL's driver. */
@Tag("engine")
@Timeout(300)
class CrateDbDrillIT {
    /** Longer ones are no words of the index any more, which a plain text column has. */
    private static final int LONGEST_VALUE = 32_000;

    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestedCrateDb.up(folder);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static Properties properties(String binding, String table) {
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get(binding));
        properties.setProperty("table", table);
        return properties;
    }

    /** By default a scan sees new rows within a second, and here at once. */
    private static void refresh(String table) {
        try {
            TestedCrateDb.execute(cluster, "refresh table \"" + table + "\"");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static DB refreshing(String binding) {
        if (binding.equals("jdbc")) {
            return new JdbcBinding() {
                @Override
                public Status scan(
                        String table,
                        String start,
                        int count,
                        Set<String> fields,
                        Vector<HashMap<String, ByteIterator>> to) {
                    refresh(table);
                    return super.scan(table, start, count, fields, to);
                }
            };
        }
        return new RestBinding() {
            @Override
            public Status scan(
                    String table,
                    String start,
                    int count,
                    Set<String> fields,
                    Vector<HashMap<String, ByteIterator>> to) {
                refresh(table);
                return super.scan(table, start, count, fields, to);
            }
        };
    }

    private static DB opened(String binding, Properties properties) throws DBException {
        DB db = refreshing(binding);
        db.setProperties(properties);
        db.init();
        return db;
    }

    @Nested
    class ContractThroughRest extends BindingContract {
        @RegisterExtension
        static final WhatServersDo ON_DELAY = new WhatServersDo(() -> cluster);

        @Override
        protected DB newDb() {
            return refreshing("rest");
        }

        @Override
        protected Properties properties() {
            return CrateDbDrillIT.properties("rest", table());
        }

        @Override
        protected String table() {
            return "contract_rest";
        }

        @Override
        protected int maxValueBytes() {
            return LONGEST_VALUE;
        }

        /** The rows of a batch share a statement, and so its columns. */
        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.FIELD_CHECK);
        }
    }

    @Nested
    class ContractThroughJdbc extends BindingContract {
        @Override
        protected DB newDb() {
            return refreshing("jdbc");
        }

        @Override
        protected Properties properties() {
            return CrateDbDrillIT.properties("jdbc", table());
        }

        @Override
        protected String table() {
            return "contract_jdbc";
        }

        @Override
        protected int maxValueBytes() {
            return LONGEST_VALUE;
        }

        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.BINARY_VALUES);
        }

        /** The server counts the rows of a batch, and does not say why one is missing. */
        @Override
        protected Status statusOfDuplicateInBatch() {
            return Statuses.UNKNOWN;
        }
    }

    @ParameterizedTest
    @CsvSource({"rest,a", "rest,d", "rest,e", "rest,f", "jdbc,a", "jdbc,e"})
    void workloadsReadBackWhatTheyWrote(String binding, String letter) throws Exception {
        readsBackWhatItWrote(binding, letter);
    }

    @ParameterizedTest
    @Tag("soak")
    @CsvSource({"rest,b", "rest,c", "jdbc,d", "jdbc,f"})
    void theOtherWorkloadsReadBackWhatTheyWrote(String binding, String letter) throws Exception {
        readsBackWhatItWrote(binding, letter);
    }

    private static void readsBackWhatItWrote(String binding, String letter) throws Exception {
        StockWorkload.readsBackWhatItWrote(
                letter,
                50,
                letter.equals("e") ? 30 : 100,
                properties(binding, binding + "_" + letter),
                properties -> opened(binding, properties));
    }

    @Test
    void aNodeIsKilledAndRecoversWithoutAWriteBeingLost() throws IOException {
        World world = new World(folder.resolve("w")).with(new CrateDbEngine());
        world.clusters().write(cluster.descriptor());
        world.file("drill.yaml", """
                name: restart
                load: 100/s
                steady: {after: 5s, window: 3s, within: 2m}
                cooldown: 3s
                recovery_timeout: 3m
                steps:
                  - {step: restart, fault: restart, node: node2, mode: kill, down: 2s, at: 0s}
                limits:
                  acked_lost: 0
                """);

        int exitCode = world.execute(
                "drill",
                "rest",
                "-P",
                Path.of("..", "workloads", "workloada")
                        .toAbsolutePath()
                        .normalize()
                        .toString(),
                "-D",
                "drill.yaml",
                "-threads",
                "3",
                "-p",
                "recordcount=300",
                "-p",
                "table=drilled",
                "--audit",
                "--out",
                "r");

        Path run = world.directory().resolve("r");
        assertThat(exitCode).as(world.err() + world.out()).isZero();
        Markers.assertEveryFaultWasEffective(run);
        JsonNode audit = new ObjectMapper().readTree(run.resolve("audit.json").toFile());
        Audits.assertNothingLost(audit);
        assertThat(phases(run)).containsExactly("fault", "failure-handling", "down", "local-recovery", "synchronise");
        String markers = Files.readString(run.resolve("markers.jsonl"));
        assertThat(markers).contains("removed as every survivor sees it").contains("transaction log operations");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    private static LocalRuns runs(String binding) {
        return new LocalRuns(folder, cluster.descriptor(), new CrateDbEngine(), binding);
    }

    /** With a rate that a busy machine keeps, and no limits but that nothing is lost. */
    private static void drill(LocalRuns runs, String name, String table) throws IOException {
        runs.load("workloada", "-p", "table=" + table, "-p", "db.batchsize=50");
        runs.drill(
                name,
                text -> text.replaceAll("(?m)^load: .*", "load: 60/s")
                        .replaceAll("every: \\d+s", "every: 1s")
                        .replaceAll("(?m)^    steady: true.*\n", "")
                        .replaceAll("(?ms)^limits:.*", """
                                limits:   # nodes follow each other at once, beside other tests: how long it takes is not asked
                                  acked_lost: 0
                                """),
                "-p",
                "table=" + table,
                "--audit");
        Audits.assertNothingLost(runs.json("audit.json"));
        runs.assertPhasesAddUp();
        // This watch asks the servers at other times than that of the drill did.
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        cluster.nodes().forEach(node -> startable.awaitStarted(node.id(), Duration.ofSeconds(30)));
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    @Test
    @Tag("soak")
    void nodesAreRestartedOneAfterTheOtherWithoutAWriteBeingLost() throws IOException {
        LocalRuns runs = runs("rest");

        drill(runs, "rolling-restart", "rolled");

        assertThat(runs.phases()).containsOnlyKeys("node1", "node2", "node3");
        assertThat(runs.phases().values()).allSatisfy(phases -> assertThat(phases)
                .startsWith("fault", "failure-handling", "down", "local-recovery"));
    }

    @Test
    void allNodesAreLostAndReturnWithEveryWrite() throws IOException {
        LocalRuns runs = runs("rest");

        drill(runs, "cluster-loss", "lost");

        assertThat(runs.phases()).containsOnlyKeys("node1", "node2", "node3");
        assertThat(runs.phases().values()).allSatisfy(phases -> assertThat(phases)
                .startsWith("fault", "failure-handling")
                .contains("local-recovery"));
    }

    /** Too short for the others to give the node up. */
    @Test
    @Tag("soak")
    void aPausedNodeIsWaitedForThroughJdbc() throws IOException {
        LocalRuns runs = runs("jdbc");

        drill(runs, "pause", "paused");

        assertThat(runs.phases()).hasSize(1);
        assertThat(runs.phases().values())
                .allSatisfy(phases -> assertThat(phases).containsExactly("fault"));
        assertThat(runs.longestMicros()).isGreaterThan(1_000_000.0);
    }

    /** Of node2, which is the only one with any. */
    private static List<String> phases(Path run) throws IOException {
        List<String> lines = Files.readAllLines(run.resolve("phases.csv"));
        List<String> header = List.of(lines.get(0).split(","));
        List<String[]> rows =
                lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        assertThat(rows).extracting(row -> row[header.indexOf("node")]).containsOnly("node2");
        return rows.stream().map(row -> row[header.indexOf("phase")]).toList();
    }
}
