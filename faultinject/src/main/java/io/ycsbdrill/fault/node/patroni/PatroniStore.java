package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * What Patroni keeps in etcd of a local cluster. Thread-safe.
 *
 * @param clients etcd's address and port
 */
record PatroniStore(String clients) {
    private static final String CLUSTER = "/service/" + PatroniConfig.SCOPE + "/";

    /** @param place address, port for clients and port for members, with colons between */
    static PatroniStore of(String place) {
        return new PatroniStore(place.substring(0, place.lastIndexOf(':')));
    }

    /**
     * Removes who led and how far the data were, and what is left of members: else no node whose data are older would lead. The settings stay,
     * and which database it is. No Patroni runs.
     *
     * @throws NodeControlException when etcd does not
     */
    void forgetCluster() {
        String from = CLUSTER;
        for (String kept : List.of("config", "initialize")) { // in the order of the keys
            remove(from, CLUSTER + kept);
            from = CLUSTER + kept + "\0";
        }
        remove(from, CLUSTER.replaceAll("/$", "0")); // the next character
    }

    /** @throws NodeControlException when etcd does not answer */
    void check() {
        ask("range", CLUSTER, CLUSTER + "\0");
    }

    private void remove(String from, String until) {
        ask("deleterange", from, until);
    }

    private void ask(String what, String from, String until) {
        String range = "{\"key\": \"" + encoded(from) + "\", \"range_end\": \"" + encoded(until) + "\"}";
        NodeIo.run(
                "etcd does not answer, without which the cluster cannot be restored",
                () -> PatroniOrders.post(clients + "/v3/kv/" + what, range, "etcd", "refuses " + what));
    }

    private static String encoded(String key) {
        return Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }
}
