package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;
import site.ycsb.DBException;

/** The contract, on a cluster of three nodes. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class EmbeddedBindingIT extends BindingContract {
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

    @Override
    protected DB newDb() {
        return new EmbeddedBinding();
    }

    @Override
    protected Properties properties() {
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("native"));
        return properties;
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
                assertThat(db.insert("usertable", "one" + i, Map.of()).isOk()).isTrue();
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
