package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.Reconnects;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.DBException;

/**
 * Counts who uses the links of a cluster, because YCSB makes one instance of a binding per thread and knows no owner of
 * what they share: the first user opens, the last one closes. The only static state of the binding. Thread-safe.
 */
final class SharedLinks {
    private static final Map<EmbeddedSettings, SharedLinks> OPEN = new HashMap<>();

    private final ClusterLinks links;
    private int users;
    private final Set<EmbeddedBinding> asked = new HashSet<>();

    private SharedLinks(ClusterLinks links) {
        this.links = links;
    }

    /** Opens the links if nobody has; whoever comes meanwhile waits. Each success must be released once. */
    static ClusterLinks acquire(EmbeddedSettings settings) throws DBException {
        synchronized (OPEN) {
            SharedLinks shared = OPEN.get(settings);
            if (shared == null) {
                shared = new SharedLinks(ClusterLinks.open(settings));
                OPEN.put(settings, shared);
            }
            shared.users++;
            return shared.links;
        }
    }

    /**
     * What became of the connections, which all users share: told only to the one that asks last, so that nothing counts twice and
     * nothing is missed.
     */
    static List<Reconnects.Server> reconnects(EmbeddedSettings settings, EmbeddedBinding user) {
        synchronized (OPEN) {
            SharedLinks shared = OPEN.get(settings);
            shared.asked.add(user);
            return shared.asked.size() < shared.users ? List.of() : shared.links.reconnects();
        }
    }

    static void release(EmbeddedSettings settings, EmbeddedBinding user) {
        synchronized (OPEN) {
            SharedLinks shared = OPEN.get(settings);
            shared.users--;
            shared.asked.remove(user);
            if (shared.users == 0) {
                OPEN.remove(settings);
                shared.links.close();
            }
        }
    }
}
