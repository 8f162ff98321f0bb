package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.Sight;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies packets by chance as they leave for a node's cable, at both of its ends, by rules of the kernel's packet filter: a bridge copies
 * none. The rules outlive the process that has made them.
 */
record CopiedPackets(IsolatedNetwork network) {
    private static final Pattern COUNTED = Pattern.compile("dup to .* counter packets (\\d+) ");
    private static final String NODE_END = "eth0";

    /** What is to be copied at one end, which is a device: so many of a thousand. */
    static String rules(String table, String device, long thousandths) {
        return Formatted.of("""
                table netdev %1$s {
                chain copies { type filter hook egress device "%2$s" priority 0;
                ether type ip numgen random mod 1000 < %3$s dup to "%2$s" counter
                }
                }
                """, table, device, thousandths);
    }

    void begin(String node, String table, long thousandths) {
        for (End end : ends(node)) {
            end.nft(rules(table, end.device(), thousandths));
        }
    }

    Sight look(String node, String table) {
        List<Long> copied = ends(node).stream()
                .filter(end -> end.has(table))
                .map(end -> counted(end.nft("list", "table", "netdev", table)))
                .toList();
        return copied.isEmpty()
                ? new Sight(false, "no packets of " + node + " are duplicated")
                : new Sight(
                        copied.stream().anyMatch(n -> n > 0),
                        copied.get(0) + " packets to " + node + " and " + copied.get(copied.size() - 1) + " packets of "
                                + node + " were duplicated");
    }

    private static long counted(String rules) {
        Matcher counter = COUNTED.matcher(rules);
        return counter.find() ? Long.parseLong(counter.group(1)) : 0;
    }

    /** Whether packets of the node were copied. */
    boolean end(String node, String table) {
        boolean any = false;
        for (End end : network.isThere(node) ? ends(node) : List.<End>of()) {
            if (end.has(table)) {
                end.nft("delete", "table", "netdev", table);
                any = true;
            }
        }
        return any;
    }

    /** The bridge's first. */
    private List<End> ends(String node) {
        return List.of(new End(List.of(), network.port(node)), new End(network.into(node), NODE_END));
    }

    /**
     * One end of a cable.
     *
     * @param into the beginning of commands there
     */
    private record End(List<String> into, String device) {

        boolean has(String table) {
            return nft("list", "tables", "netdev").lines().anyMatch(line -> line.strip()
                    .endsWith(" " + table));
        }

        String nft(String... arguments) {
            List<String> command = new ArrayList<>(into);
            command.add(NetworkNamespaces.required("nft"));
            command.addAll(List.of(arguments));
            return NetworkNamespaces.run(command);
        }
    }
}
