package io.ycsbdrill.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlterableClusterTest {
    @TempDir
    Path records;

    private final Table table = new Table();

    private Alterable cluster(String password) {
        Properties run = new Properties();
        run.setProperty("db.passwd", password);
        return new AlterableCluster(
                new NoNodes("fake"),
                records,
                properties -> {
                    table.passwords.add(properties.getProperty("db.passwd", "none"));
                    return table;
                },
                run);
    }

    /** A new process knows nothing of the run, and reaches the table nevertheless. */
    @Test
    void whatAKilledProcessHasAddedIsDroppedByALaterOne() {
        cluster("secret").alter(TableSchema.Change.ADD_COLUMN);
        cluster("secret").alter(TableSchema.Change.CREATE_INDEX);
        table.passwords.clear();

        Alterable later = new AlterableCluster(
                new NoNodes("fake"),
                records,
                properties -> {
                    table.passwords.add(properties.getProperty("db.passwd", "none"));
                    return table;
                },
                new Properties());

        assertThat(later.undoAlterations()).containsExactly("the column", "the index");
        assertThat(later.undoAlterations()).isEmpty();
        assertThat(table.there).isEmpty();
        assertThat(table.passwords).containsOnly("secret");
        assertThat(records).isEmptyDirectory();
    }

    @Test
    void whatNobodyHasRecordedIsNeitherAddedNorDropped() {
        table.there.add(TableSchema.Change.ADD_COLUMN);
        Alterable cluster = cluster("");

        assertThat(cluster.alterationLacks(TableSchema.Change.ADD_COLUMN))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the column exists already"));
        assertThatThrownBy(() -> cluster.alter(TableSchema.Change.ADD_COLUMN))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("exists already, and is left as it is");
        assertThatThrownBy(() -> cluster.alter(TableSchema.Change.DROP_COLUMN))
                .hasMessageContaining("no drill has added the column");
        assertThat(cluster.undoAlterations()).isEmpty();
        assertThat(table.there).containsExactly(TableSchema.Change.ADD_COLUMN);
        assertThat(table.made).isEmpty();
    }

    /** The server may have begun it. */
    @Test
    void whatTheServerRefusesIsAFailureAndStaysRecorded() {
        Alterable cluster = cluster("");
        table.refuses = "lock wait timeout (1205)";

        assertThatThrownBy(() -> cluster.alter(TableSchema.Change.ADD_COLUMN))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("add-column: lock wait timeout (1205)");
        assertThat(cluster.lookForAlteration(TableSchema.Change.ADD_COLUMN).effect())
                .isFalse();

        table.there.add(TableSchema.Change.ADD_COLUMN); // it was at work on it
        assertThatThrownBy(cluster::undoAlterations)
                .hasMessageContaining("is not dropped: lock wait timeout (1205)")
                .hasMessageContaining("ycsb cluster heal tries again");

        table.refuses = "";
        assertThat(cluster.undoAlterations()).containsExactly("the column");
        assertThat(table.there).isEmpty();
    }

    @Test
    void aStepThatDropsLeavesNothingToHeal() {
        Alterable cluster = cluster("");
        cluster.alter(TableSchema.Change.ADD_COLUMN);
        assertThat(cluster.lookForAlteration(TableSchema.Change.ADD_COLUMN).effect())
                .isTrue();

        cluster.alter(TableSchema.Change.DROP_COLUMN);

        assertThat(cluster.lookForAlteration(TableSchema.Change.DROP_COLUMN).effect())
                .isTrue();
        assertThat(records).isEmptyDirectory();
    }

    @Test
    void theRecordIsForItsOwnerOnlyAsItMayHaveAPassword() throws IOException {
        cluster("secret").alter(TableSchema.Change.ADD_COLUMN);

        try (var files = Files.list(records)) {
            assertThat(files).singleElement().satisfies(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
        }
    }

    /** A table in memory. */
    private static final class Table implements TableSchema {
        private final Set<Change> there = EnumSet.noneOf(Change.class);
        private final List<Change> made = new ArrayList<>();
        private final List<String> passwords = new ArrayList<>();
        private String refuses = "";

        @Override
        public String describe(Change change) {
            return "the " + change.thing();
        }

        @Override
        public boolean supports(Change change) {
            return true;
        }

        @Override
        public boolean has(Change change) {
            return there.contains(change.undoes().orElse(change));
        }

        @Override
        public void make(Change change) throws IOException {
            if (!refuses.isEmpty()) {
                throw new IOException(refuses);
            }
            made.add(change);
            change.undo().ifPresent(undo -> there.add(change));
            change.undoes().ifPresent(there::remove);
        }
    }
}
