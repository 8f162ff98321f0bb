package io.ycsbdrill.client.live;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Admits only requests from those who were given the address. A web page elsewhere can make a browser ask for any address, and can read the
 * answer only when it passes as of the same origin: when its own host name leads here. So the host that a request names must be
 * an address, or a name that is this machine's. Immutable.
 */
final class RequestCheck {
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.%]+]");

    private final Set<String> names = new TreeSet<>(Set.of("localhost"));

    /** @param loopback whether only this machine can connect; else its own name is good, too */
    RequestCheck(boolean loopback, String boundHost) {
        if (!loopback) {
            names.add(boundHost.toLowerCase(Locale.ROOT));
            try {
                names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
            } catch (UnknownHostException e) {
                return; // a machine without a name: its addresses remain
            }
        }
    }

    boolean good(Headers headers) {
        String host = headers.getFirst("Host");
        if (host == null || headers.containsKey("Origin") && !sameOrigin(headers.getFirst("Origin"), host)) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return names.contains(name) || ADDRESS.matcher(name).matches();
    }

    private static boolean sameOrigin(String origin, String host) {
        return origin.equalsIgnoreCase("http://" + host);
    }
}
