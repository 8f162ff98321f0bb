package io.ycsbdrill.binding.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.harperdb.HarperDbNodes;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DB;

/**
 * A HarperDB cluster of three nodes that the user runs, with the user's own consent to its licence: {@code TC_AGREEMENT=yes}
 * in the environment, which nothing here sets. {@code docs/rest.md} tells what else must be there.
 */
@Tag("engine")
class HarperDbIT {
    private static final String CONSENT = "TC_AGREEMENT";
    private static final String ENDPOINTS = "HARPERDB_ENDPOINTS";

    @BeforeAll
    static void onlyWithTheUsersConsentAndCluster() {
        String missing = !"yes".equals(System.getenv(CONSENT))
                ? CONSENT + " is not yes: HarperDB's licence is yours to read and to accept"
                : System.getenv(ENDPOINTS) == null ? ENDPOINTS + " does not name your cluster" : "";
        assumeTrue(missing.isEmpty(), missing);
    }

    private static Properties reached(String... more) {
        Properties properties = new Properties();
        properties.setProperty("rest.dialect", "harperdb");
        properties.setProperty("rest.endpoints", System.getenv(ENDPOINTS));
        properties.setProperty("rest.user", System.getenv().getOrDefault("HDB_ADMIN_USERNAME", "HDB_ADMIN"));
        properties.setProperty("rest.password.env", "HDB_ADMIN_PASSWORD");
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return properties;
    }

    @Nested
    class Contract extends BindingContract {
        @Override
        protected DB newDb() {
            return new RestBinding();
        }

        @Override
        protected Properties properties() {
            // One server: what another one took is there a little later only.
            String first = System.getenv(ENDPOINTS).split(",")[0];
            return reached("rest.endpoints", first);
        }

        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.MISSING_KEY_CHECK, Feature.FIELD_CHECK);
        }
    }

    @ParameterizedTest
    @CsvSource({"a,300", "b,300", "c,300", "d,300", "e,100", "f,300"})
    void stockWorkloadReadsBackWhatItWrote(String letter, int operations) throws Exception {
        String first = System.getenv(ENDPOINTS).split(",")[0];
        Properties table = reached("table", "workload" + letter, "rest.endpoints", first);
        StockWorkload.readsBackWhatItWrote(letter, 100, operations, table, properties -> {
            RestBinding db = new RestBinding();
            db.setProperties(properties);
            db.init();
            return db;
        });
    }

    @Test
    void theNodesTellOfEachOther() throws Exception {
        HttpServers servers =
                new RestPlugin().managed("harperdb", reached(), System.getenv()).orElseThrow();
        try (HarperDbNodes nodes = HarperDbNodes.connect(servers)) {
            assertThat(nodes.nodes()).hasSize(3);
            assertThat(nodes.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        }
    }
}
