package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.servers.ReadOnlyServerException;
import io.ycsbdrill.binding.servers.Servers;
import io.ycsbdrill.binding.servers.Shared;
import java.sql.Connection;
import java.util.Collections;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/** The databases in use in this process, by settings; the first user creates the table. */
final class SharedServers {
    private static final Logger LOG = LoggerFactory.getLogger(SharedServers.class);

    /** What all threads with equal settings share. */
    record Database(Connector connector, Servers<JdbcUrl> servers) implements AutoCloseable {
        @Override
        public void close() {
            servers.close();
        }
    }

    static final Shared<JdbcSettings, Database> OPEN = new Shared<>(SharedServers::prepare);

    private static Database prepare(JdbcSettings settings) throws DBException {
        settings.remarks().forEach(LOG::warn);
        Connector connector = new Connector(settings);
        String server = new TableSetup(settings).ensure(connector);
        LOG.info(
                "{}, connected to {} through {}",
                server,
                settings.urls().size() == 1 ? settings.url(0) : settings.urls().size() + " servers",
                connector.driverName());
        return new Database(connector, servers(connector, settings));
    }

    static Servers<JdbcUrl> servers(Connector connector, JdbcSettings settings) {
        return new Servers<>("jdbc", LOG, settings.servers(), url -> {
            try (Connection connection = connector.open(url)) {
                TableShape.of(connection, settings.table(), Collections.emptyList());
                Optional<String> readOnly = Role.readOnly(connection, url);
                if (readOnly.isPresent()) {
                    throw new ReadOnlyServerException(readOnly.get());
                }
            }
        });
    }
}
