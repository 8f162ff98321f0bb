package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.binding.AbstractBindingPlugin;
import io.ycsbdrill.binding.ServerAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/** The binding {@code jdbc}: SQL servers, named by {@code db.hosts}, else the one of {@code db.url}. */
public final class JdbcPlugin extends AbstractBindingPlugin implements ServerAddresses {
    private static final String URL = "db.url";
    private static final String HOSTS = "db.hosts";

    /** For {@link java.util.ServiceLoader}. */
    public JdbcPlugin() {
        super("jdbc", 20, JdbcBinding.class);
    }

    @Override
    public Optional<ServerAddresses> addresses() {
        return Optional.of(this);
    }

    @Override
    public Optional<TableSchema> table(Properties properties, Map<String, String> environment) throws DBException {
        return areIn(properties) ? Optional.of(JdbcTable.of(properties, environment)) : Optional.empty();
    }

    @Override
    public List<String> properties() {
        return List.of(URL, HOSTS);
    }

    /** Those of {@code db.hosts} take the place of the URL's, as in the binding. */
    @Override
    public List<String> in(Properties properties) {
        JdbcUrl url = new JdbcUrl(properties.getProperty(URL, ""));
        String hosts = properties.getProperty(HOSTS, "");
        List<String> servers = (hosts.isBlank() ? Optional.of(url) : url.at(hosts.replaceAll("\\s", "")))
                .orElse(url)
                .servers();
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("db.url: the servers cannot be told from " + url.shown()
                    + "; name them by drill.servers=host:port[,host:port]");
        }
        return servers;
    }

    /** Clients are led through proxies by another list of servers. */
    @Override
    public Optional<String> unproxied(Properties properties) {
        JdbcUrl url = new JdbcUrl(properties.getProperty(URL, ""));
        if (url.verifyingHost().isPresent()) {
            return Optional.of("db.url: faults of the network lead clients through a proxy on 127.0.0.1, and "
                    + url.verifyingHost().get() + " wants the server's certificate to be for that name; use "
                    + (url.isConnectorJ() ? "sslMode=VERIFY_CA" : "sslmode=verify-ca")
                    + ", which checks all but the name");
        }
        boolean named = !properties.getProperty(HOSTS, "").isBlank();
        return url.plain() || named && url.at("").isPresent()
                ? Optional.empty()
                : Optional.of("db.url: faults of the network need servers written as host:port, as in"
                        + " jdbc:mysql://host:port[,host:port]/database, not " + url.shown());
    }

    /** A list in the URL stays one: the driver goes on choosing among its servers. */
    @Override
    public void replace(Properties properties, List<String> addresses) {
        JdbcUrl url = new JdbcUrl(properties.getProperty(URL, ""));
        String list = String.join(",", addresses);
        if (properties.getProperty(HOSTS, "").isBlank() && url.severalServers()) {
            properties.setProperty(URL, url.at(list).orElseThrow().text());
        } else {
            properties.setProperty(HOSTS, list);
        }
    }
}
