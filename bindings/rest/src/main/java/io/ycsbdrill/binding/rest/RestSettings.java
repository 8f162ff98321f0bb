package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.Secret;
import io.ycsbdrill.binding.rest.dialect.Dialect;
import io.ycsbdrill.binding.rest.dialect.DialectName;
import io.ycsbdrill.binding.rest.http.Endpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import site.ycsb.DBException;

/**
 * The binding's properties, checked. {@code docs/rest.md} explains each.
 *
 * @param endpoints the servers, one or more
 * @param dialect how they are spoken to
 * @param connections to each server, shared by all threads; 0 for one to each thread
 * @param timeout from the sending of a request to the whole reply
 * @param idleTimeout a connection unused for longer is not used again
 * @param http2 whether it is taken where a server offers it in TLS
 * @param gzip whether replies may be compressed
 * @param verify whether a server must prove its name by a certificate
 * @param authority a PEM file with the certificates to trust; empty for Java's own
 * @param credentials headers that say who asks, by name
 */
public record RestSettings(
        List<Endpoint> endpoints,
        Dialect dialect,
        int connections,
        Duration connectTimeout,
        Duration timeout,
        Duration idleTimeout,
        boolean http2,
        boolean gzip,
        boolean verify,
        Optional<String> authority,
        Map<String, Secret> credentials) {

    private static final String MEANING =
            "the servers' addresses, http://host:port,http://host:port (https too), without user and password";

    public RestSettings {
        endpoints = List.copyOf(endpoints);
        credentials = Map.copyOf(credentials);
    }

    /**
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every property that is wrong
     */
    public static RestSettings of(Properties given, Map<String, String> environment) throws DBException {
        BindingProperties p = new BindingProperties(given);
        List<Endpoint> endpoints = endpoints(p);
        Dialect dialect = p.choice("rest.dialect", DialectName.IGNITE).dialect(p);
        RestSettings settings = new RestSettings(
                endpoints,
                dialect,
                p.integer("rest.connections", 0, 0, 10_000),
                p.duration(
                        "rest.connect.timeout", Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofMinutes(10)),
                p.duration("rest.timeout", dialect.patience(), Duration.ofMillis(50), Duration.ofHours(1)),
                p.duration("rest.idle.timeout", Duration.ofSeconds(25), Duration.ofMillis(100), Duration.ofHours(1)),
                p.flag("rest.http2", true),
                p.flag("rest.gzip", true),
                p.flag("rest.tls.verify", true),
                p.optionalText("rest.tls.ca"),
                credentials(p, environment));
        p.check("rest.");
        return settings;
    }

    private static List<Endpoint> endpoints(BindingProperties p) {
        p.requiredText("rest.endpoints", MEANING);
        List<Endpoint> endpoints = new ArrayList<>();
        for (String text : p.list("rest.endpoints", List.of())) {
            Endpoint.parse(text)
                    .ifPresentOrElse(
                            endpoints::add,
                            () -> p.problem("rest.endpoints", text.replaceAll("//[^/]*@", "//***@"), MEANING));
        }
        if (new HashSet<>(endpoints).size() < endpoints.size()) {
            p.problem("rest.endpoints", endpoints.toString(), "each server once");
        }
        return endpoints;
    }

    private static Map<String, Secret> credentials(BindingProperties p, Map<String, String> environment) {
        Map<String, Secret> headers = new TreeMap<>();
        Optional<String> user = p.optionalText("rest.user");
        Optional<Secret> password = p.secret("rest.password", environment);
        Optional<Secret> token = p.secret("rest.token", environment);
        String keyHeader = p.text("rest.api-key.header", "X-API-KEY");
        Optional<Secret> key = p.secret("rest.api-key", environment);
        if (user.isPresent() != password.isPresent()) {
            p.problem("rest.user", user.orElse(""), "rest.user and rest.password together, or neither");
        }
        if (user.isPresent() && token.isPresent()) {
            p.problem("rest.token", "***", "either a token, or a user and a password");
        }
        if (!keyHeader.matches("[A-Za-z0-9-]{1,100}")) {
            p.problem("rest.api-key.header", keyHeader, "the name of an HTTP header");
        }
        if (user.isPresent() && password.isPresent()) {
            byte[] both = (user.get() + ":" + password.get().text()).getBytes(StandardCharsets.UTF_8);
            headers.put(
                    "Authorization", new Secret("Basic " + Base64.getEncoder().encodeToString(both)));
        }
        token.ifPresent(secret -> headers.put("Authorization", new Secret("Bearer " + line(p, "rest.token", secret))));
        key.ifPresent(secret -> headers.put(keyHeader, new Secret(line(p, "rest.api-key", secret))));
        return headers;
    }

    private static String line(BindingProperties p, String name, Secret secret) {
        if (!secret.text().matches("[\\x20-\\x7E]+")) {
            p.problem(name, "***", "one line of ASCII");
        }
        return secret.text();
    }
}
