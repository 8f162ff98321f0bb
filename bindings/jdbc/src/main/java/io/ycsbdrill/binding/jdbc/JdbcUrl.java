package io.ycsbdrill.binding.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A JDBC URL, parsed as far as the binding needs. Immutable; all threads ask the same one. */
final class JdbcUrl {
    private static final Pattern PARTS = Pattern.compile("(jdbc:[a-zA-Z0-9:+@-]+//)([^/?;]*)([/;][^?]*)?(\\?.*)?");

    /** Commas within {@code (host=...,port=...)} or {@code [...]} part no servers. */
    private static final Pattern BETWEEN_SERVERS = Pattern.compile(",(?![^(]*\\))(?![^\\[]*])");

    private static final Pattern PLAIN = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");
    private static final Pattern NAMED_HOST = Pattern.compile("(?i)[(,]\\s*host\\s*=\\s*([^(),\\s]+)");
    private static final Pattern NAMED_PORT = Pattern.compile("(?i)[(,]\\s*port\\s*=\\s*(\\d{1,5})");

    /** Default ports by a word of the scheme. */
    private static final Map<String, String> PORTS = Map.of(
            "mysql",
            "3306",
            "mariadb",
            "3306",
            "postgresql",
            "5432",
            "crate",
            "5432",
            "yugabytedb",
            "5433",
            "sqlserver",
            "1433",
            "oracle",
            "1521",
            "h2",
            "9092");

    /** A parameter of any driver, in the query or in {@code address=(...)}: {@code password2}, {@code sslpassword}, ... */
    private static final Pattern SECRET = Pattern.compile("(?i)(passw(or)?d|(?<![a-z])pwd|secret|token)\\w*\\s*=");

    private static final Pattern VERIFIES = Pattern.compile("(?i)sslMode=(verify-full|verify_identity)|ssl=(true)?");
    private static final Pattern MARIADB_VERIFIES =
            Pattern.compile("(?i)sslMode=(verify[-_]full|true|1)|useSsl=(true|1)");
    private static final Pattern USER = Pattern.compile("^jdbc:[^?]*[^:?]@");

    private final String url;
    private final Optional<MatchResult> parts;
    private final Map<String, String> parameters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    JdbcUrl(String url) {
        this.url = url;
        Matcher matcher = PARTS.matcher(url);
        // A matcher is changed by each question; its result is not.
        this.parts = matcher.matches() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
        String query = part(4);
        if (!query.isEmpty()) {
            for (String parameter : query.substring(1).split("&")) {
                int equals = parameter.indexOf('=');
                parameters.put(
                        equals < 0 ? parameter : parameter.substring(0, equals),
                        equals < 0 ? "" : parameter.substring(equals + 1));
            }
        }
    }

    String text() {
        return url;
    }

    /** The URL without the parts that may contain a password. */
    String shown() {
        if (hasCredentials()) {
            return url.replaceFirst("(?s)//.*", "//***").replaceFirst("(?s)(jdbc:oracle:[a-z]+:).*", "$1***");
        }
        int query = url.indexOf('?');
        String shown = query < 0 ? url : url.substring(0, query);
        return shown;
    }

    boolean hasCredentials() {
        // A password may have a slash; Oracle's "thin:@host" names nobody.
        return SECRET.matcher(url).find() || USER.matcher(url).find();
    }

    /** Whether the server uses MySQL's error numbers. */
    boolean isMysql() {
        return isConnectorJ() || isMariadb();
    }

    boolean isConnectorJ() {
        return url.startsWith("jdbc:mysql:");
    }

    boolean isMariadb() {
        return url.startsWith("jdbc:mariadb:");
    }

    boolean isPostgresql() {
        return url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:crate:");
    }

    /** Whether Connector/J may run two statements of one connection on two servers. */
    boolean balances() {
        return url.startsWith("jdbc:mysql:loadbalance:") || url.startsWith("jdbc:mysql:replication:");
    }

    /** Whether Connector/J fails over from one server to the next by itself. */
    boolean failsOver() {
        return isConnectorJ() && part(2).contains(",");
    }

    /** Whether it names several servers, among which the driver chooses. */
    boolean severalServers() {
        return BETWEEN_SERVERS.matcher(part(2)).find();
    }

    /** Its servers as {@code host:port}, in the forms of the drivers that are known; empty when the URL does not show them. */
    List<String> servers() {
        String port = Stream.of(part(1).split("[:+@/-]+"))
                .map(PORTS::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        List<String> servers = new ArrayList<>();
        for (String server : BETWEEN_SERVERS.split(parts.isPresent() && part(2).isEmpty() ? "localhost" : part(2))) {
            Matcher plain = PLAIN.matcher(server);
            Matcher host = NAMED_HOST.matcher(server);
            Matcher named = NAMED_PORT.matcher(server);
            String address = plain.matches()
                    ? server + (plain.group(2) == null ? ":" + port : "")
                    : host.find() ? host.group(1) + ":" + (named.find() ? named.group(1) : port) : "";
            if (!address.matches(".+:\\d+")) {
                return List.of();
            }
            servers.add(address);
        }
        return List.copyOf(servers);
    }

    /** Whether each server is written as {@code host} or {@code host:port}, so that another may be written in its place. */
    boolean plain() {
        return Stream.of(BETWEEN_SERVERS.split(part(2)))
                .allMatch(server -> PLAIN.matcher(server).matches());
    }

    /** The parameter by which the driver wants the server's certificate to be for the host of the URL; empty when it does not. */
    Optional<String> verifyingHost() {
        boolean mariaDb = part(1).contains("mariadb");
        // pgjdbc's ssl=true alone, and the other names that MariaDB's driver has for the same.
        return Stream.of("sslMode", mariaDb ? "useSsl" : "ssl")
                .filter(parameters::containsKey)
                .findFirst()
                .map(name -> name + "=" + parameters.get(name))
                .filter(named ->
                        (mariaDb ? MARIADB_VERIFIES : VERIFIES).matcher(named).matches());
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** The same URL with another server; empty when the URL does not show where the server stands. */
    Optional<JdbcUrl> at(String host) {
        return parts.map(parts -> new JdbcUrl(part(1) + host + part(3) + part(4)));
    }

    /** The server as {@code host:port}; empty when the URL has another form. */
    String host() {
        return part(2);
    }

    /** The same URL with one more parameter, which counts if it is there already. */
    JdbcUrl with(String name, String value) {
        return new JdbcUrl(url + (url.indexOf('?') < 0 ? "?" : "&") + name + "=" + value);
    }

    /** The same URL of a MySQL server, with a variable set in each session. */
    JdbcUrl withSession(String assignment) {
        String parameter = "sessionVariables=";
        Optional<String> others = parameter("sessionVariables");
        if (others.isPresent()) {
            return new JdbcUrl(
                    url.replaceAll("(?i)([?&]" + parameter + ")", "$1" + Matcher.quoteReplacement(assignment) + ","));
        }
        return with("sessionVariables", assignment);
    }

    /** Empty when it is not there, or the URL is of another form. */
    private String part(int group) {
        return parts.map(parts -> parts.group(group)).orElse("");
    }

    @Override
    public String toString() {
        return shown();
    }
}
