package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.fault.net.FaultProxy;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Through an idle proxy that stands before the server. */
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
}
