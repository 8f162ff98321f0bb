package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.Secret;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How the servers are connected to, from the binding's properties. {@code docs/rest.md} explains each. Immutable.
 *
 * @param endpoints the servers, one or more
 * @param connectTimeout for opening a connection
 * @param timeout from the sending of a request to the complete reply
 * @param idleTimeout a connection unused for longer is not used again
 * @param gzip whether replies may be compressed
 * @param verify whether a server must prove its name by a certificate
 * @param authority a PEM file with the certificates to trust; empty for Java's own
 * @param credentials headers that identify the user, by name
 * @param headers the dialect's, for every request
 */
public record HttpSettings(
        List<Endpoint> endpoints,
        Duration connectTimeout,
        Duration timeout,
        Duration idleTimeout,
        boolean gzip,
        boolean verify,
        Optional<String> authority,
        Map<String, Secret> credentials,
        Map<String, String> headers) {

    private static final String MEANING =
            "the servers' addresses, http://host:port,http://host:port (https too), without user and password";

    public HttpSettings {
        endpoints = List.copyOf(endpoints);
        credentials = Map.copyOf(credentials);
        headers = Map.copyOf(headers);
    }

    /**
     * Reads the properties; what is wrong with them is in {@code p} afterwards.
     *
     * @param environment where the variables that hold secrets are looked up
     * @param timeout of requests, unless the user sets it
     * @param headers the dialect's, for every request, by the timeout that applies
     */
    public static HttpSettings of(
            BindingProperties p,
            Map<String, String> environment,
            Duration timeout,
            Function<Duration, Map<String, String>> headers) {
        Duration bound = p.duration("rest.timeout", timeout, Duration.ofMillis(50), Duration.ofHours(1));
        return new HttpSettings(
                endpoints(p),
                p.duration(
                        "rest.connect.timeout", Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofMinutes(10)),
                bound,
                p.duration("rest.idle.timeout", Duration.ofSeconds(25), Duration.ofMillis(100), Duration.ofHours(1)),
                p.flag("rest.gzip", true),
                p.flag("rest.tls.verify", true),
                authority(p),
                credentials(p, environment),
                headers.apply(bound));
    }

    /** The same settings with another timeout, and the headers for it. */
    public HttpSettings withTimeout(Duration timeout, Map<String, String> headers) {
        return new HttpSettings(
                endpoints, connectTimeout, timeout, idleTimeout, gzip, verify, authority, credentials, headers);
    }

    /** What is said of a request without a reply in time. */
    String noReply() {
        return "no reply within " + timeout.toMillis() + " ms";
    }

    private static List<Endpoint> endpoints(BindingProperties p) {
        p.requiredText("rest.endpoints", MEANING);
        List<Endpoint> endpoints = new ArrayList<>();
        for (String text : p.list("rest.endpoints", List.of())) {
            Endpoint.parse(text)
                    .ifPresentOrElse(
                            endpoints::add,
                            () -> p.problem("rest.endpoints", text.replaceAll("//.*@", "//***@"), MEANING));
        }
        if (new HashSet<>(endpoints).size() < endpoints.size()) {
            p.problem("rest.endpoints", endpoints.toString(), "each server once");
        }
        return endpoints;
    }

    private static Optional<String> authority(BindingProperties p) {
        Optional<String> file = p.optionalText("rest.tls.ca");
        file.filter(name -> !new File(name).isFile())
                .ifPresent(name -> p.problem("rest.tls.ca", name, "a file with certificates (PEM); there is none"));
        return file;
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
            Secrets.know(Base64.getEncoder().encodeToString(both));
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
