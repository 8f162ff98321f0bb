package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.TransactionsContract;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** The contracts of rows and of both kinds of transactions, on one cluster of three nodes. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class EmbeddedBindingIT {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path directory;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        cluster = new EmbeddedEngine().up(directory.resolve("cluster"), Map.of(), Lifetime.OWNED, System.out::println);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static Properties reached() {
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("native"));
        return properties;
    }

    @Nested
    class Rows extends BindingContract {
        @Override
        protected DB newDb() {
            return new EmbeddedBinding();
        }

        @Override
        protected Properties properties() {
            return reached();
        }

        @Override
        protected boolean expires() {
            return true;
        }

        /** Any field may be in a row. */
        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.FIELD_CHECK);
        }

        @Test
        void tableOfAnotherNameIsCreatedAndUsed() throws DBException {
            Properties other = properties();
            other.setProperty("table", "othertable");
            DB db = newDb();
            db.setProperties(other);
            db.init();
            try {
                assertThat(db.insert("othertable", "k", Map.of()).isOk()).isTrue();
                assertThat(db.delete("othertable", "k").isOk()).isTrue();
            } finally {
                db.cleanup();
            }
        }

        @Test
        void oneEndpointIsEnoughToReachEveryKey() throws DBException {
            Properties one = properties();
            one.setProperty(
                    "embedded.endpoints", one.getProperty("embedded.endpoints").split(",")[0]);
            DB db = newDb();
            db.setProperties(one);
            db.init();
            try {
                for (int i = 0; i < 20; i++) {
                    assertThat(db.insert("usertable", "one" + i, Map.of()).isOk())
                            .isTrue();
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(db.delete("usertable", "one" + i).isOk()).isTrue();
                }
            } finally {
                db.cleanup();
            }
        }

        @Test
        void addressWhereNobodyAnswersIsNamed() {
            Properties wrong = new Properties();
            wrong.setProperty("embedded.endpoints", "127.0.0.1:1");
            DB db = newDb();
            db.setProperties(wrong);

            assertThatThrownBy(db::init)
                    .isInstanceOf(DBException.class)
                    .hasMessageContaining("no node of the embedded cluster answers at 127.0.0.1:1");
            assertThatThrownBy(db::init).isInstanceOf(DBException.class);
        }
    }

    @Nested
    class PessimisticTransactions extends Transactions {
        @Override
        String kind() {
            return "pessimistic";
        }
    }

    @Nested
    class OptimisticTransactions extends Transactions {
        @Override
        String kind() {
            return "optimistic";
        }
    }

    abstract static class Transactions extends TransactionsContract {
        abstract String kind();

        @Override
        protected DB newDb() {
            return new EmbeddedBinding();
        }

        @Override
        protected Properties properties() {
            Properties properties = reached();
            properties.setProperty("table", table());
            properties.setProperty("embedded.transactions", kind());
            properties.setProperty("embedded.transaction.timeout", "2s");
            return properties;
        }

        @Override
        protected String table() {
            return "transactions";
        }

        @Override
        protected boolean checksFields() {
            return false;
        }

        /** The cluster has rolled it back by then, on a machine that is busy enough at any moment. */
        @Test
        void aTransactionThatTakesTooLongWasDefinitelyNotApplied() throws Exception {
            for (int calls = 1; calls <= 3; calls++) {
                Properties properties = properties();
                properties.setProperty("embedded.transaction.timeout", "50ms");
                EmbeddedBinding db = opened(properties);
                try {
                    assertThat(db.insert(table(), "slow", row("0"))).isEqualTo(Status.OK);
                    assertThat(db.begin(table(), "slow")).isEqualTo(Status.OK);
                    Status status = Status.OK;
                    if (calls > 1) {
                        status = db.update(table(), "slow", row("1"));
                    }
                    TimeUnit.MILLISECONDS.sleep(300);
                    if (calls > 2 && status.isOk()) {
                        status = db.update(table(), "slow", row("2"));
                    }
                    status = status.isOk() ? db.commit() : status;

                    assertThat(status).as("after %d calls", calls).isIn(Statuses.LOCK_TIMEOUT, Statuses.TEMPORARY);
                    db.abort();
                    Map<String, ByteIterator> values = new HashMap<>();
                    assertThat(db.read(table(), "slow", null, values)).isEqualTo(Status.OK);
                    assertThat(values.get("field0")).hasToString("0");
                } finally {
                    db.delete(table(), "slow");
                    db.cleanup();
                }
            }
        }

        private EmbeddedBinding opened(Properties properties) throws DBException {
            EmbeddedBinding db = new EmbeddedBinding();
            db.setProperties(properties);
            db.init();
            return db;
        }

        private static Map<String, ByteIterator> row(String value) {
            return new HashMap<>(Map.of("field0", new StringByteIterator(value)));
        }
    }
}
