package io.ycsbdrill.fault.node.harperdb;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the nodes of a cluster say at one time.
 *
 * @param nodes by name, what each that answers says of its peers
 */
record HarperDbState(Map<String, Peers> nodes) {
    /** Its times are whole seconds, and two nodes are not asked at the same time. */
    private static final Duration CLOSE = Duration.ofSeconds(3);

    /**
     * What one node says.
     *
     * @param links by the peer's name
     * @param replicates false for a server that knows no peers
     */
    record Peers(String name, Map<String, Link> links, boolean replicates) {
        /** What a server that cannot replicate says. */
        static Peers none(String name) {
            return new Peers(name, Map.of(), false);
        }

        /**
         * Reads the answer to {@code cluster_status}.
         *
         * @param now when it was given
         */
        static Peers of(JsonNode answer, Instant now) {
            Map<String, Link> links = new HashMap<>();
            for (JsonNode peer : answer.path("connections")) {
                Link all = null;
                for (JsonNode socket : peer.path("database_sockets")) {
                    if (!socket.path("database").asText().equals("system")) {
                        all = all == null ? Link.of(socket, now) : all.and(Link.of(socket, now));
                    }
                }
                links.put(peer.path("name").asText(), all == null ? new Link(false, false, false) : all);
            }
            return new Peers(answer.path("node_name").asText(), links, true);
        }

        boolean isConnectedTo(String peer) {
            return links.containsKey(peer) && links.get(peer).connected();
        }
    }

    /**
     * A node's replication with one peer, over all databases but {@code system}.
     *
     * @param connected each of them
     * @param sendsCopy whether the peer is sent all data, as it has none
     * @param current whether it has received all that the peer has sent, as far as is known
     */
    record Link(boolean connected, boolean sendsCopy, boolean current) {
        static Link of(JsonNode socket, Instant now) {
            String sends = socket.path("sendingMessage").asText("");
            boolean receives = socket.path("lastReceivedStatus").asText("").equals("Receiving");
            boolean late = time(socket.path("lastReceivedRemoteTime").asText(""))
                    .map(time -> Duration.between(time, now).compareTo(CLOSE) > 0)
                    .orElse(true);
            return new Link(socket.path("connected").asBoolean(), sends.equals("Copying"), !(receives && late));
        }

        Link and(Link other) {
            return new Link(connected && other.connected, sendsCopy || other.sendsCopy, current && other.current);
        }

        private static Optional<Instant> time(String text) {
            try {
                return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
    }

    boolean answers(String node) {
        return nodes.containsKey(node);
    }

    /** Whether one of the others has noticed that the node is gone. */
    boolean isMissedBySome(String node) {
        return others(node).stream().anyMatch(peers -> !peers.isConnectedTo(node));
    }

    /** Whether all others that answer have noticed it; false when none answers. */
    boolean isMissedByAll(String node) {
        Collection<Peers> others = others(node);
        return !others.isEmpty() && others.stream().noneMatch(peers -> peers.isConnectedTo(node));
    }

    /** Whether the node is catching up: it receives everything, or the changes that it missed. */
    boolean isCatchingUp(String node) {
        return isCopiedTo(node)
                || answers(node)
                        && nodes.get(node).links().values().stream()
                                .anyMatch(link -> link.connected() && !link.current());
    }

    /** Whether the node answers and has no peers to be compared with. */
    boolean isAlone(String node) {
        return answers(node) && !nodes.get(node).replicates();
    }

    boolean isCopiedTo(String node) {
        return others(node).stream()
                .anyMatch(peers ->
                        peers.isConnectedTo(node) && peers.links().get(node).sendsCopy());
    }

    /** Whether the node is connected with all others in both directions, and has what they have sent. */
    boolean isRecovered(String node) {
        return answers(node)
                && !isMissedBySome(node)
                && others(node).stream().allMatch(peers -> nodes.get(node).isConnectedTo(peers.name()))
                && !isCatchingUp(node);
    }

    private Collection<Peers> others(String node) {
        return nodes.values().stream()
                .filter(peers -> !peers.name().equals(node))
                .toList();
    }
}
