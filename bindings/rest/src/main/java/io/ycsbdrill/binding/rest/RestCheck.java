package io.ycsbdrill.binding.rest;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.binding.rest.dialect.Dialect;
import io.ycsbdrill.binding.rest.http.Connector;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Link;
import io.ycsbdrill.binding.servers.Servers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/** Checks servers before a run; nothing is changed there. */
final class RestCheck {
    /**
     * Asks each server of the properties, one after the other.
     *
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every invalid property
     */
    static List<Finding> all(Properties properties, Map<String, String> environment) throws DBException {
        RestSettings settings = RestSettings.of(properties, environment);
        Connector connector = new Connector(settings.http());
        String dialect = "rest, dialect "
                + properties.getProperty("rest.dialect", "ignite").strip();
        return settings.http().endpoints().stream()
                .map(endpoint -> of(dialect, endpoint, settings, connector))
                .toList();
    }

    private static Finding of(String dialect, Endpoint endpoint, RestSettings settings, Connector connector) {
        String server = dialect + ": " + endpoint + trust(endpoint, settings);
        try (Link link = connector.open(endpoint)) {
            Exchange http = new Exchange(settings.dialect().statuses()).on(link);
            settings.dialect().probe(http);
            String version = version(settings.dialect(), http)
                    .map(name -> ", version " + name)
                    .orElse("");
            return Finding.ok(server + " responds" + version);
        } catch (IOException e) {
            return Finding.bad(server + " is not serving: " + Servers.line(e));
        }
    }

    private static Optional<String> version(Dialect dialect, Exchange http) throws IOException {
        Optional<String> version = dialect.version(http);
        return version.isPresent() ? version : Optional.ofNullable(http.last().header("Server"));
    }

    private static String trust(Endpoint endpoint, RestSettings settings) {
        if (!endpoint.tls()) {
            return "";
        }
        if (!settings.http().verify()) {
            return " (any certificate is accepted)";
        }
        return settings.http()
                .authority()
                .map(file -> " (certificates of " + file + " are trusted)")
                .orElse(" (Java's own certificates are trusted)");
    }
}
