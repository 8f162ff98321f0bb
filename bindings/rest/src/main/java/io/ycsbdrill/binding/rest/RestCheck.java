package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.rest.dialect.Dialect;
import io.ycsbdrill.binding.rest.http.Connector;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Link;
import io.ycsbdrill.binding.servers.Servers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * The result of checking a server before a run; nothing is changed there.
 *
 * @param answers whether it was reached, and serves
 * @param line which server, and what was seen; no secrets
 */
public record RestCheck(boolean answers, String line) {

    /**
     * Asks each server of the properties, one after the other.
     *
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every invalid property
     */
    public static List<RestCheck> all(Properties properties, Map<String, String> environment) throws DBException {
        RestSettings settings = RestSettings.of(properties, environment);
        Connector connector = new Connector(settings.http());
        List<RestCheck> checks = new ArrayList<>();
        for (Endpoint endpoint : settings.http().endpoints()) {
            checks.add(of(endpoint, settings, connector));
        }
        return List.copyOf(checks);
    }

    private static RestCheck of(Endpoint endpoint, RestSettings settings, Connector connector) {
        String server = endpoint + trust(endpoint, settings);
        try (Link link = connector.open(endpoint)) {
            Exchange http = new Exchange(settings.dialect().statuses()).on(link);
            settings.dialect().probe(http);
            String version = version(settings.dialect(), http)
                    .map(name -> ", version " + name)
                    .orElse("");
            return new RestCheck(true, server + " responds over " + link.protocol() + version);
        } catch (IOException e) {
            return new RestCheck(false, server + " is not serving: " + Servers.line(e));
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
