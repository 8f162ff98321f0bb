package io.ycsbdrill.binding.jdbc;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JDBC URL taken apart as far as the binding must. Immutable; pure. */
final class JdbcUrl {
    private static final Pattern PARTS = Pattern.compile("(jdbc:[a-zA-Z0-9:+]+//)([^/?]*)(/[^?]*)?(\\?.*)?");

    private final String url;
    private final Matcher parts;
    private final Map<String, String> parameters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    JdbcUrl(String url) {
        this.url = url;
        this.parts = PARTS.matcher(url);
        if (parts.matches() && parts.group(4) != null) {
            for (String parameter : parts.group(4).substring(1).split("&")) {
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

    /** Without what may hold a password. */
    String shown() {
        int query = url.indexOf('?');
        String shown = query < 0 ? url : url.substring(0, query);
        return shown.replaceAll("//[^/]*@", "//***@");
    }

    boolean hasCredentials() {
        return parameters.containsKey("password")
                || parts.matches() && parts.group(2).contains("@")
                || url.toLowerCase(Locale.ROOT).contains("password=");
    }

    /** Whether the errors are numbered as MySQL numbers them. */
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

    /** Whether Connector/J goes from one server to the next by itself. */
    boolean failsOver() {
        return isConnectorJ() && parts.matches() && parts.group(2).contains(",");
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** The same URL to another server; empty when the place of the server is not known. */
    Optional<JdbcUrl> at(String host) {
        if (!parts.matches()) {
            return Optional.empty();
        }
        String rest = (parts.group(3) == null ? "" : parts.group(3)) + (parts.group(4) == null ? "" : parts.group(4));
        return Optional.of(new JdbcUrl(parts.group(1) + host + rest));
    }

    @Override
    public String toString() {
        return shown();
    }
}
