package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.trouble.LinkCut;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packets that were lost on links of a node, as the packet filter counts them.
 *
 * @param own dropped by rules of its own, which are new with each trouble
 * @param others dropped by rules of the nodes at the other ends
 */
record LostPackets(Dropped own, Dropped others) {
    private static final Pattern DROPPED = Pattern.compile(
            "(?:iifname \"(n\\d+)\" )?(?:oifname \"(n\\d+)\" )?ether type ip (?:.*numgen random mod \\d+ < \\d+ )?.*"
                    + "counter packets (\\d+) bytes \\d+( drop)?$");
    private static final Pattern TABLE = Pattern.compile("^table \\w+ (\\w+) \\{");

    /** Packets that a node has sent, and that were sent to it. */
    record Dropped(long out, long in) {
        static final Dropped NONE = new Dropped(0, 0);

        Dropped plus(Dropped more) {
            return new Dropped(out + more.out, in + more.in);
        }
    }

    /** A packet is counted by the first rule that drops it, which may be one of the other end's; these may have been there before. */
    Dropped since(Dropped before) {
        return own.plus(new Dropped(Math.max(0, others.out - before.out), Math.max(0, others.in - before.in)));
    }

    /**
     * Reads what the packet filter says.
     *
     * @param rules all of its rules
     * @param table that of the node
     * @param port the bridge's port to the node
     * @param links with ports in place of nodes
     */
    static LostPackets of(String rules, String table, String port, LinkCut links) {
        Dropped own = Dropped.NONE;
        Dropped others = Dropped.NONE;
        String current = "";
        for (String line : rules.lines().toList()) {
            Matcher begins = TABLE.matcher(line);
            Matcher rule = DROPPED.matcher(line);
            if (begins.find()) {
                current = begins.group(1);
            } else if (rule.find()) {
                String from = rule.group(1);
                String to = rule.group(2);
                long packets = Long.parseLong(rule.group(3));
                boolean sent = port.equals(from)
                        && (to == null ? links.toClients() : links.to().contains(to));
                boolean received = port.equals(to)
                        && (from == null ? links.fromClients() : links.from().contains(from));
                Dropped dropped = new Dropped(sent ? packets : 0, received ? packets : 0);
                own = current.equals(table) ? own.plus(dropped) : own;
                // What another node's rule has corrupted is not lost.
                others = current.equals(table) || rule.group(4) == null ? others : others.plus(dropped);
            }
        }
        return new LostPackets(own, others);
    }
}
