package io.ycsbdrill.binding.rest;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.binding.AbstractBindingPlugin;
import io.ycsbdrill.binding.ServerAddresses;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import site.ycsb.DBException;

/** The binding {@code rest}: servers over HTTP, each kind by its dialect. */
public final class RestPlugin extends AbstractBindingPlugin implements ServerAddresses {
    private static final String ENDPOINTS = "rest.endpoints";
    private static final String DIALECT = "rest.dialect";

    /** For {@link java.util.ServiceLoader}. */
    public RestPlugin() {
        super("rest", 30, RestBinding.class);
    }

    @Override
    public Optional<ServerAddresses> addresses() {
        return Optional.of(this);
    }

    @Override
    public List<String> properties() {
        return List.of(ENDPOINTS);
    }

    @Override
    public List<String> in(Properties properties) {
        return uris(properties)
                .map(uri -> uri.getPort() > 0
                        ? uri.getAuthority()
                        : uri.getAuthority() + (uri.getScheme().equals("https") ? ":443" : ":80"))
                .toList();
    }

    /** Why a proxy cannot be placed before it: only plain HTTP with a port can have one, as a certificate is for the server's own name. */
    @Override
    public Optional<String> unproxied(Properties properties) {
        return uris(properties)
                .filter(uri -> !uri.getScheme().equals("http") || uri.getPort() < 0)
                .map(uri -> "rest.endpoints: faults of the network need servers as http://host:port, not " + uri)
                .findFirst();
    }

    private static Stream<URI> uris(Properties properties) {
        return Stream.of(properties.getProperty(ENDPOINTS).split(","))
                .map(String::strip)
                .map(text -> {
                    if (!text.matches("https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?(/[^?#]*)?")) {
                        throw new IllegalArgumentException(
                                "rest.endpoints: servers are written as http://host:port, not "
                                        + text.replaceAll("//.*@", "//***@"));
                    }
                    return URI.create(text);
                });
    }

    @Override
    public void replace(Properties properties, List<String> addresses) {
        List<URI> endpoints = uris(properties).toList();
        properties.setProperty(
                ENDPOINTS,
                IntStream.range(0, addresses.size())
                        .mapToObj(i ->
                                "http://" + addresses.get(i) + endpoints.get(i).getRawPath())
                        .collect(Collectors.joining(",")));
    }

    @Override
    public Optional<HttpServers> managed(String kind, Properties properties, Map<String, String> environment)
            throws DBException {
        boolean named = !properties.getProperty(ENDPOINTS, "").isBlank();
        if (!named || !properties.getProperty(DIALECT, "").strip().equalsIgnoreCase(kind)) {
            return Optional.empty();
        }
        RestSettings settings = RestSettings.of(properties, environment);
        Map<String, String> headers = new HashMap<>();
        settings.http().credentials().forEach((name, secret) -> headers.put(name, secret.text()));
        return Optional.of(new HttpServers(
                settings.http().endpoints().stream()
                        .map(endpoint -> settings.dialect().management(endpoint).toString())
                        .toList(),
                headers,
                settings.http().verify(),
                settings.http().authority().map(Path::of)));
    }

    /** Reports a problem only when servers are named: without one, a cluster that is up is used, or one is started. */
    @Override
    public List<Finding> diagnose(Properties properties, Map<String, String> environment) {
        if (properties.getProperty(ENDPOINTS, "").isBlank()) {
            return List.of(Finding.ok(
                    "rest: no servers are named, so it uses the cluster that is up, or an embedded one; to check servers:"
                            + " ycsb doctor -p rest.endpoints=http://HOST:PORT -p rest.dialect=NAME"));
        }
        try {
            return RestCheck.all(properties, environment);
        } catch (DBException e) {
            return List.of(Finding.bad("rest: " + e.getMessage()));
        }
    }
}
