package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Formatted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rules of the packet filter ({@code nft}) by which a bridge drops or changes packets of its ports, as text. */
final class LinkRules {
    /** The finest share that the filter knows. */
    static final int SHARES = 1000;

    /** Where a bit is flipped in what a packet carries, by the places of their bytes: in its head, and in the rows behind that. */
    private static final int[] SPOILT = {6, 46, 98, 202};

    private LinkRules() {}

    /** What the bridge gets from a port. */
    static String incoming(String port) {
        return "iifname \"" + port + "\" ";
    }

    /** What the bridge sends to a port. */
    static String outgoing(String port) {
        return "oifname \"" + port + "\" ";
    }

    /**
     * Drops packets. Addresses are still resolved, as a failure of that would be reported to the sender.
     *
     * @param chance empty for all of them
     */
    static String drop(String link, String chance) {
        return link + "ether type ip " + chance + "counter drop\n";
    }

    /** A table with the chains of the bridge; what it passes on, and what its own host gets and sends. */
    static String table(String table, String chains, String forward, String input, String output) {
        return Formatted.of("""
                table bridge %s {
                %schain forward { type filter hook forward priority 0;
                %s}
                chain input { type filter hook input priority 0;
                %s}
                chain output { type filter hook output priority 0;
                %s}
                }
                """, table, chains, forward, input, output);
    }

    /** A share as the filter knows it. */
    static long thousandths(double share) {
        return Math.round(share * SHARES);
    }

    /** What a rule says that is to take only a share of the packets. */
    static String chance(double share) {
        return "numgen random mod " + SHARES + " < " + thousandths(share) + " ";
    }

    /** Chains, one for each place: a packet that is too short for it has no bit there, and is not counted. */
    private static String spoilers(String link, String name) {
        return IntStream.range(0, SPOILT.length)
                .mapToObj(i -> {
                    String place = "@ih," + 8 * SPOILT[i] + ",16";
                    return "chain " + name + i + " { " + link + "ether type ip " + place + " set " + place
                            + " ^ 0x1 counter\n}\n";
                })
                .collect(Collectors.joining());
    }

    /** One draw for each packet, so that the places together have the share; what does not divide is the last ones'. */
    private static String corrupted(String link, String name, long thousandths) {
        List<String> places = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < SPOILT.length; i++) {
            long until = from + (thousandths + i) / SPOILT.length;
            if (until > from) {
                places.add(from + "-" + (until - 1) + " : jump " + name + i);
            }
            from = until;
        }
        return link + "ether type ip meta l4proto { tcp, udp } numgen random mod " + SHARES + " vmap { "
                + String.join(", ", places) + " }\n";
    }

    /** The rules by which bits are flipped in packets of a port, and to it. */
    static String corruption(String table, String port, long thousandths) {
        String incoming = incoming(port);
        String outgoing = outgoing(port);
        String in = corrupted(incoming, "of", thousandths);
        String out = corrupted(outgoing, "to", thousandths);
        return table(table, spoilers(incoming, "of") + spoilers(outgoing, "to"), in + out, in, out);
    }
}
