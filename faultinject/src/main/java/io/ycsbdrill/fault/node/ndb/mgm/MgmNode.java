package io.ycsbdrill.fault.node.ndb.mgm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One node as reported by {@code get status}.
 *
 * @param id node id
 * @param type {@code NDB}, {@code MGM} or {@code API}
 * @param status {@code STARTED}, {@code NO_CONTACT}, ...: the server's own word
 * @param startPhase 0 when it is not starting
 * @param dynamicId order of joining: the lowest among live data nodes is the president; 0 when it is not up
 * @param group node group; -1 when it has none now
 * @param address where it is, empty when not known
 * @param version packed as major, minor, build: 16, 8 and 8 bits; 0 when not known
 */
public record MgmNode(
        int id, String type, String status, int startPhase, int dynamicId, int group, String address, int version) {
    /** States in which no data node takes part in the cluster. */
    private static final Set<String> OUT = Set.of("NO_CONTACT", "NOT_STARTED");

    static List<MgmNode> parse(MgmReply reply) {
        List<MgmNode> nodes = new ArrayList<>();
        for (String name : reply.fields().keySet()) {
            if (!name.startsWith("node.") || !name.endsWith(".type")) {
                continue;
            }
            String prefix = name.substring(0, name.length() - "type".length());
            nodes.add(new MgmNode(
                    Integer.parseInt(prefix.substring("node.".length(), prefix.length() - 1)),
                    reply.get(name, ""),
                    reply.get(prefix + "status", "UNKNOWN"),
                    reply.number(prefix + "startphase", 0),
                    reply.number(prefix + "dynamic_id", 0),
                    reply.number(prefix + "node_group", -1),
                    reply.get(prefix + "address", ""),
                    reply.number(prefix + "version", 0)));
        }
        return nodes;
    }

    boolean data() {
        return type.equals("NDB");
    }

    public boolean started() {
        return status.equals("STARTED") || status.equals("SINGLE USER MODE");
    }

    /** Not part of the cluster: no process, no contact, or a process that waits for the order to start. */
    public boolean out() {
        return OUT.contains(status);
    }

    /** On its way into the cluster. */
    public boolean starting() {
        return status.equals("STARTING");
    }

    /** The server has no contact with a process of it, which may be there all the same. */
    public boolean noContact() {
        return status.equals("NO_CONTACT");
    }

    /** The server does not know at the moment, as for a blink after a node's death. */
    public boolean unknown() {
        return status.equals("UNKNOWN");
    }

    /** The server's words for the node's state, with the start phase while it starts. */
    public String detail() {
        return startPhase > 0 ? status + " (start phase " + startPhase + ")" : status;
    }
}
