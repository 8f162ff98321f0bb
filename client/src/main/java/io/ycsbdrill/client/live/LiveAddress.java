package io.ycsbdrill.client.live;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host null for loopback
 * @param port 0 for any that is free
 */
public record LiveAddress(String host, int port) {
    /** Loopback, any free port. */
    public static final LiveAddress ANY = new LiveAddress(null, 0);

    private static final Pattern SYNTAX = Pattern.compile("(?:(.+):)?(\\d{1,5})");

    /** What {@code [HOST:]PORT} says; empty when it is not of that form. */
    public static Optional<LiveAddress> parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65_535) {
            return Optional.empty();
        }
        String host = parts.group(1);
        return Optional.of(new LiveAddress(
                host == null ? null : host.replaceAll("[\\[\\]]", ""), Integer.parseInt(parts.group(2))));
    }

    InetSocketAddress resolve() throws UnknownHostException {
        InetAddress address = host == null ? InetAddress.getByName("127.0.0.1") : InetAddress.getByName(host);
        return new InetSocketAddress(address, port);
    }

    @Override
    public String toString() {
        return (host == null ? "127.0.0.1" : host) + ":" + port;
    }
}
