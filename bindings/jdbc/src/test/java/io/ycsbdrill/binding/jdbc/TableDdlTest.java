package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.TableSchema.Change;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableDdlTest {

    /** PostgreSQL's indexes have names of their own in their schema. */
    @ParameterizedTest
    @EnumSource
    void everyStatementNamesTheTableOrWhatIsOurs(TableDdl database) {
        for (Change change : Change.values()) {
            List<String> statements = database.of(change, "`t`", "`ours`", "`f`");
            assertThat(statements.isEmpty()).isEqualTo(!database.supports(change));
            assertThat(statements).allMatch(sql -> sql.contains("`t`") || sql.endsWith(" `ours`"));
            assertThat(statements).allMatch(sql -> change == Change.REORGANISE || sql.contains("`ours`"));
            assertThat(statements).noneMatch(sql -> sql.matches("(?i).*drop (table|database|schema).*"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeDroppedIsNotAdded(TableDdl database) {
        for (Change change : Change.values()) {
            change.undo()
                    .filter(undo -> database.supports(change))
                    .ifPresent(undo -> assertThat(database.supports(undo)).isTrue());
        }
        assertThat(database.supports(Change.ADD_COLUMN)).isEqualTo(database != TableDdl.NDB);
    }

    /** CrateDB has no such locks. */
    @ParameterizedTest
    @EnumSource
    void noStatementWaitsLongForALock(TableDdl database) {
        assertThat(database.limitsWaiting().isEmpty()).isEqualTo(database == TableDdl.CRATEDB);
    }
}
