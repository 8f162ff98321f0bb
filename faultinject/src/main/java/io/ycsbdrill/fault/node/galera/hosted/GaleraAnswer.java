package io.ycsbdrill.fault.node.galera.hosted;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What one node says of itself and of the group. Immutable.
 *
 * @param node whose host was asked
 * @param name as the server calls itself, {@code wsrep_node_name}
 * @param version of the server
 * @param primary whether it is in the part of the group that serves, {@code wsrep_cluster_status}
 * @param state {@code wsrep_local_state_comment}, such as {@code Synced}
 * @param members the names of all members that it sees; empty when it does not serve, or does not say
 * @param problem the error with which it did not say its members; empty when there was none
 */
record GaleraAnswer(
        String node, String name, String version, boolean primary, String state, Set<String> members, String problem) {
    /**
     * Each row is a name and a value. A server that does not serve refuses the last statement only, so that one is last, and its
     * refusal is no failure. None of it waits for what the group has under way, as reads of the user's may.
     */
    static final String QUESTION =
            "set session wsrep_sync_wait=0; show global status where variable_name in ('wsrep_cluster_status',"
                    + " 'wsrep_local_state_comment'); show global variables where variable_name in ('wsrep_node_name', 'version');"
                    + " select 'member', node_name from mysql.wsrep_cluster_members";

    GaleraAnswer {
        members = Set.copyOf(members);
    }

    /**
     * Reads the output of MariaDB's client.
     *
     * @throws IOException when it is no answer to the question
     */
    static GaleraAnswer parse(String node, String output) throws IOException {
        Map<String, String> values = new HashMap<>();
        Set<String> members = new HashSet<>();
        for (String line : output.lines().toList()) {
            String[] cells = line.split("\t", 2);
            if (cells.length == 2 && cells[0].equals("member")) {
                members.add(cells[1]);
            } else if (cells.length == 2) {
                values.put(cells[0], cells[1]);
            }
        }
        if (!values.containsKey("wsrep_cluster_status") || !values.containsKey("wsrep_node_name")) {
            throw new IOException(output.lines().findFirst().orElse("it printed nothing"));
        }
        boolean primary = values.get("wsrep_cluster_status").equals("Primary");
        return new GaleraAnswer(
                node,
                values.get("wsrep_node_name"),
                values.getOrDefault("version", "unknown"),
                primary,
                values.getOrDefault("wsrep_local_state_comment", ""),
                primary ? members : Set.of(),
                output.lines()
                        .filter(line -> line.startsWith("ERROR "))
                        .findFirst()
                        .orElse(""));
    }

    /** Whether it serves and says who else is there. One that serves sees itself, at least. */
    boolean saysMembers() {
        return primary && !members.isEmpty();
    }

    boolean synced() {
        return primary && state.equals("Synced");
    }

    /** Whether it has failed to apply what the others have: it has left them, and stays so until it is started again. */
    boolean inconsistent() {
        return state.equals("Inconsistent");
    }

    /** Whether it hands its data to a node that joins. */
    boolean donates() {
        return state.startsWith("Donor");
    }
}
