package io.ycsbdrill.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlterableClusterTest {
    private static final Duration BOUND = Duration.ofMillis(50);

    @TempDir
    Path records;

    private final Map<String, Table> tables = new HashMap<>();

    private Table table(String name) {
        return tables.computeIfAbsent(name, Table::new);
    }

    /** A run that uses this table. */
    private Alterable run(String table) {
        return new AlterableCluster(new NoNodes("fake"), records, this::table, table, Optional.empty());
    }

    /** A new process knows nothing of the run. */
    @Test
    void whatAKilledProcessHasAddedIsDroppedByALaterOneFromTheTableThatHasIt() throws IOException {
        run("mine").alter(Change.ADD_COLUMN, BOUND);
        run("mine").alter(Change.CREATE_INDEX, BOUND);
        try (var files = Files.list(records)) {
            assertThat(files).singleElement().satisfies(file -> assertThat(Files.readAllLines(file))
                    .filteredOn(line -> !line.startsWith("#"))
                    .containsExactlyInAnyOrder("add-column=mine", "create-index=mine"));
        }
        Alterable later = run("other");

        assertThat(later.undoAlterations(BOUND)).containsExactly("the column of mine", "the index of mine");
        assertThat(later.undoAlterations(BOUND)).isEmpty();

        assertThat(table("mine").there).isEmpty();
        assertThat(table("other").made).isEmpty();
        assertThat(records).isEmptyDirectory();
    }

    @Test
    void whatNobodyHasRecordedIsNeitherAddedNorDropped() {
        table("mine").there.add(Change.ADD_COLUMN);
        Alterable cluster = run("mine");

        assertThat(cluster.alterationLacks(Change.ADD_COLUMN))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the column of mine exists already"));
        assertThatThrownBy(() -> cluster.alter(Change.ADD_COLUMN, BOUND))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("exists already, and is left as it is");
        assertThatThrownBy(() -> cluster.alter(Change.DROP_COLUMN, BOUND))
                .hasMessageContaining("no drill has added the column");
        assertThat(cluster.undoAlterations(BOUND)).isEmpty();

        assertThat(table("mine").there).containsExactly(Change.ADD_COLUMN);
        assertThat(table("mine").made).isEmpty();
    }

    @Test
    void whatAnotherTableWasGivenIsNotDroppedFromThisOne() {
        run("other").alter(Change.ADD_COLUMN, BOUND);

        assertThatThrownBy(() -> run("mine").alter(Change.DROP_COLUMN, BOUND))
                .hasMessageContaining("no drill has added the column of mine");
        assertThat(table("mine").made).isEmpty();
    }

    /** Between the look and the statement. */
    @Test
    void whatSomebodyElseHasAddedMeanwhileIsNotDroppedByAHealing() {
        table("mine").refuses = new TableSchema.AlreadyThereException("duplicate column", null);

        assertThatThrownBy(() -> run("mine").alter(Change.ADD_COLUMN, BOUND))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("add-column: duplicate column");

        assertThat(records).isEmptyDirectory();
        table("mine").refuses = null;
        table("mine").there.add(Change.ADD_COLUMN);
        assertThat(run("mine").undoAlterations(BOUND)).isEmpty();
        assertThat(table("mine").there).containsExactly(Change.ADD_COLUMN);
    }

    /** The server may have begun it. */
    @Test
    void whatTheServerRefusesIsAFailureAndStaysRecorded() {
        Alterable cluster = run("mine");
        table("mine").refuses = new IOException("lock wait timeout (1205)");

        assertThatThrownBy(() -> cluster.alter(Change.ADD_COLUMN, BOUND))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("add-column: lock wait timeout (1205)");
        assertThat(cluster.lookForAlteration(Change.ADD_COLUMN).effect()).isFalse();

        table("mine").there.add(Change.ADD_COLUMN); // it was at work on it
        assertThatThrownBy(() -> cluster.undoAlterations(BOUND))
                .hasMessageContaining("is not dropped: lock wait timeout (1205)")
                .hasMessageContaining("ycsb cluster heal tries again");
        table("mine").refuses = null;
        assertThat(cluster.undoAlterations(BOUND)).containsExactly("the column of mine");
        assertThat(table("mine").there).isEmpty();
    }

    /** It would add what nobody remembers. */
    @Test
    void nothingIsForgottenWhileAServerIsAtWork() {
        run("mine").alter(Change.CREATE_INDEX, BOUND);
        table("mine").there.clear(); // not seen yet
        table("mine").atWork = true;

        assertThatThrownBy(() -> run("mine").undoAlterations(BOUND)).hasMessageContaining("at work");
        assertThat(records).isNotEmptyDirectory();

        table("mine").atWork = false;
        table("mine").there.add(Change.CREATE_INDEX);
        assertThat(run("mine").undoAlterations(BOUND)).containsExactly("the index of mine");
    }

    @Test
    void whatCannotBeDroppedDoesNotKeepTheOthers() {
        run("mine").alter(Change.ADD_COLUMN, BOUND);
        run("mine").alter(Change.CREATE_INDEX, BOUND);
        table("mine").refusesOnly = Change.DROP_COLUMN;
        table("mine").refuses = new IOException("no");

        assertThatThrownBy(() -> run("mine").undoAlterations(BOUND)).hasMessageContaining("the column that a drill");

        assertThat(table("mine").there).containsExactly(Change.ADD_COLUMN);
    }

    @Test
    void whatWasGoneAlreadyIsForgottenAndNotCalledDropped() {
        run("mine").alter(Change.ADD_COLUMN, BOUND);
        table("mine").there.clear();

        assertThat(run("mine").undoAlterations(BOUND)).isEmpty();
        assertThat(records).isEmptyDirectory();
    }

    @Test
    void aStepThatDropsLeavesNothingToHeal() {
        Alterable cluster = run("mine");
        cluster.alter(Change.ADD_COLUMN, BOUND);
        assertThat(cluster.lookForAlteration(Change.ADD_COLUMN).effect()).isTrue();
        assertThat(cluster.lookForAlteration(Change.ADD_COLUMN).text())
                .isEqualTo("the column of mine is there; the server has confirmed it after 7 ms");
        cluster.alter(Change.DROP_COLUMN, BOUND);
        assertThat(cluster.lookForAlteration(Change.DROP_COLUMN).effect()).isTrue();
        assertThat(records).isEmptyDirectory();
    }

    @Test
    void oneChangeIsMadeAtATime() {
        Alterable cluster = run("mine");
        table("mine").meanwhile = () -> {
            Thread second = new Thread(() -> {
                assertThat(cluster.lookForAlteration(Change.CREATE_INDEX).effect())
                        .isFalse();
                try {
                    cluster.alter(Change.CREATE_INDEX, BOUND);
                } catch (NodeControlException e) {
                    table("mine").said = e.getMessage();
                }
            });
            second.start();
            try {
                second.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };

        cluster.alter(Change.ADD_COLUMN, BOUND);

        assertThat(table("mine").said).isEqualTo("create-index: another change of the schema is under way");
        assertThat(table("mine").made).containsExactly(Change.ADD_COLUMN);
    }

    @Test
    void onlyAClusterThatThisToolHasStartedCanBeAltered() {
        Properties run = new Properties();
        run.setProperty("db.url", "jdbc:mariadb://db.example.org/shop");
        NodeController nodes = new NoNodes("fake");

        assertThat(AlterableCluster.of(new ControlledCluster(nodes, records, true), Map.of(), run))
                .isSameAs(nodes);
    }

    @Test
    void aRunThatMayUseAnotherDatabaseIsRefused() {
        Map<String, Map<String, String>> known =
                Map.of("native", Map.of("ndb.database", "ycsb"), "jdbc", Map.of("db.url", "jdbc:mariadb://a/ycsb"));
        Properties run = new Properties();
        run.setProperty("table", "mine");
        run.setProperty("ndb.database", "ycsb");
        assertThat(AlterableCluster.elsewhere(known, run)).isEmpty();

        for (String name : List.of("ndb.database", "db.url", "db.hosts", "rest.cratedb.schema")) {
            Properties other = new Properties();
            other.setProperty(name, "shop");
            Optional<String> why = AlterableCluster.elsewhere(known, other);
            assertThat(why).hasValueSatisfying(text -> assertThat(text).startsWith("the run sets " + name));
            Alterable cluster = new AlterableCluster(new NoNodes("fake"), records, this::table, "mine", why);
            assertThat(cluster.alterationLacks(Change.ADD_COLUMN)).isEqualTo(why);
            assertThatThrownBy(() -> cluster.alter(Change.ADD_COLUMN, BOUND)).hasMessageContaining(name);
        }
        assertThat(tables).isEmpty();
    }

    /** A table in memory. */
    private static final class Table implements TableSchema {
        private final String name;
        private final Set<Change> there = EnumSet.noneOf(Change.class);
        private final List<Change> made = new ArrayList<>();
        private IOException refuses;
        private Change refusesOnly;
        private boolean atWork;
        private Runnable meanwhile = () -> {};
        private String said = "";

        Table(String name) {
            this.name = name;
        }

        @Override
        public String describe(Change change) {
            return "the " + change.thing() + " of " + name;
        }

        @Override
        public Optional<String> lacks(Change change) {
            return Optional.empty();
        }

        @Override
        public boolean has(Change change) {
            return there.contains(change.undoes().orElse(change));
        }

        @Override
        public Duration make(Change change, Duration bound) throws IOException {
            if (refuses != null && (refusesOnly == null || refusesOnly == change)) {
                throw refuses;
            }
            if (change.undoes().isPresent() && !has(change)) {
                throw new IOException("there is none");
            }
            meanwhile.run();
            made.add(change);
            change.undo().ifPresent(undo -> there.add(change));
            change.undoes().ifPresent(there::remove);
            return Duration.ofMillis(7);
        }

        @Override
        public void awaitIdle(Duration bound) throws IOException {
            if (atWork) {
                throw new IOException("the server is still at work");
            }
        }
    }
}
