package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.fault.net.FaultProxy;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DB;

/** Through an idle proxy that stands before the server: the contract, and the workloads without a failure. */
class ProxiedContractIT extends MariaDbContractIT {
    private static FaultProxy proxy;

    @BeforeAll
    static void proxy(MariaDbServer.Running server) {
        proxy = FaultProxy.before("127.0.0.1", server.port());
    }

    @AfterAll
    static void close() {
        if (proxy != null) {
            proxy.close();
        }
    }

    @Override
    protected Properties properties() {
        Properties properties = super.properties();
        properties.setProperty("db.hosts", "127.0.0.1:" + proxy.address().getPort());
        return properties;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void workloadsReadBackWhatTheyWrote(String letter) throws Exception {
        Properties properties = properties();
        properties.setProperty("table", "proxied_" + letter);

        StockWorkload.readsBackWhatItWrote(letter, 200, 500, properties, p -> {
            DB db = newDb();
            db.setProperties(p);
            db.init();
            return db;
        });
        assertThat(proxy.connections()).isPositive();
    }
}
