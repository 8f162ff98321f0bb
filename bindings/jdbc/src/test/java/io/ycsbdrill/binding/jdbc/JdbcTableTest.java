package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.Change;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcTableTest {
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final String ADD = "ALTER TABLE `t` ADD COLUMN `ycsb_drill_column` INTEGER";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name = "schema" + NUMBER.incrementAndGet();
    private FakeDriver.Host first;
    private FakeDriver.Host second;

    @BeforeEach
    void servers() {
        first = FakeDriver.host(name + "-1");
        second = FakeDriver.host(name + "-2");
        first.product = "PostgreSQL";
        second.product = "PostgreSQL";
    }

    private JdbcTable table() throws Exception {
        Properties properties = new Properties();
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.url", "jdbc:postgresql://" + name + "-1/db");
        properties.setProperty("db.hosts", name + "-1," + name + "-2");
        properties.setProperty("table", "t");
        return JdbcTable.of(properties, Map.of());
    }

    /** Its time is for the statement: a login and a question have those of every client. */
    @Test
    void theStatementAloneMayTakeLongAndDoesNotWaitForALock() throws Exception {
        table().make(Change.ADD_COLUMN, BOUND);

        assertThat(first.executed).contains("SET lock_timeout = '10s'", ADD);
        assertThat(first.lastProperties).containsEntry("socketTimeout", "30");
        assertThat(first.networkTimeouts.get(first.networkTimeouts.size() - 1)).isBetween(590_000, 600_000);
    }

    @Test
    void aChangeIsMadeOnceAlsoWhenItsConnectionCannotBeClosed() throws Exception {
        first.closeFailures.add(new SQLException("broken pipe", "08S01"));

        table().make(Change.ADD_COLUMN, BOUND);

        assertThat(first.executed).containsOnlyOnce(ADD);
        assertThat(second.connects).isZero();
    }

    @Test
    void aDuplicateIsToldFromOtherErrorsAndNamesTheServer() throws Exception {
        for (boolean duplicate : new boolean[] {true, false}) {
            first.statementFailures.put(ADD, new SQLException("no", duplicate ? "42701" : "55P03"));

            assertThatThrownBy(() -> table().make(Change.ADD_COLUMN, BOUND))
                    .isExactlyInstanceOf(duplicate ? TableSchema.AlreadyThereException.class : IOException.class)
                    .hasMessageContaining(name + "-1")
                    .hasMessageContaining(ADD + ": no");
        }
        assertThat(second.connects).isZero();
    }
}
