package io.ycsbdrill.client.cli;

import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DB;

/** The contract and the stock workloads, on the HTTP endpoints of a cluster of three nodes. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class EmbeddedRestIT {
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

    @Nested
    class OwnConnections extends BindingContract {
        @Override
        protected DB newDb() {
            return new RestBinding();
        }

        @Override
        protected Properties properties() {
            return Reached.byRest(cluster);
        }

        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.FIELD_CHECK);
        }
    }

    @ParameterizedTest
    @CsvSource({"a,300", "b,300", "c,300", "d,300", "e,100", "f,300"})
    void stockWorkloadReadsBackWhatItWrote(String letter, int operations) throws Exception {
        Properties table = Reached.byRest(cluster, "table", "workload" + letter);
        StockWorkload.readsBackWhatItWrote(letter, 100, operations, table, properties -> {
            RestBinding db = new RestBinding();
            db.setProperties(properties);
            db.init();
            return db;
        });
    }
}
