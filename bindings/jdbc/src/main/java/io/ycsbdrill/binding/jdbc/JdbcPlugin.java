package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.AbstractBindingPlugin;
import io.ycsbdrill.binding.ServerAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The binding {@code jdbc}: SQL servers, named by {@code db.hosts}, else the one of {@code db.url}. */
public final class JdbcPlugin extends AbstractBindingPlugin implements ServerAddresses {
    private static final String URL = "db.url";
    private static final String HOSTS = "db.hosts";

    /** Default ports by URL scheme. */
    private static final Map<String, String> PORTS =
            Map.of("mysql", "3306", "mariadb", "3306", "postgresql", "5432", "crate", "5432");

    private static final Pattern ONE_SERVER = Pattern.compile(
            "jdbc:(mysql|mariadb|postgresql|crate)://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?(/[^?]*)?(\\?.*)?");

    /** For {@link java.util.ServiceLoader}. */
    public JdbcPlugin() {
        super("jdbc", 20, JdbcBinding.class);
    }

    @Override
    public Optional<ServerAddresses> addresses() {
        return Optional.of(this);
    }

    @Override
    public List<String> properties() {
        return List.of(URL, HOSTS);
    }

    @Override
    public List<String> in(Properties properties) {
        Matcher url = ONE_SERVER.matcher(properties.getProperty(URL, ""));
        if (!url.matches()) {
            throw new IllegalArgumentException("db.url: faults of the network need a URL with one server,"
                    + " jdbc:mysql://host:port/database; name several by db.hosts");
        }
        String hosts = properties.getProperty(HOSTS, "");
        Stream<String> named = hosts.isBlank()
                ? Stream.of(url.group(2) + (url.group(3) == null ? "" : url.group(3)))
                : Stream.of(hosts.split(",")).map(String::strip);
        return named.map(host -> host.matches(".*:\\d+") ? host : host + ":" + PORTS.get(url.group(1)))
                .toList();
    }

    @Override
    public void replace(Properties properties, List<String> addresses) {
        properties.setProperty(HOSTS, String.join(",", addresses));
    }
}
