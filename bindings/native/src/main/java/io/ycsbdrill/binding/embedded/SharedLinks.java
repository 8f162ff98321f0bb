package io.ycsbdrill.binding.embedded;

import java.util.HashMap;
import java.util.Map;
import site.ycsb.DBException;

/**
 * Counts who uses the links of a cluster, because YCSB makes one instance of a binding per thread and knows no owner of
 * what they share: the first user opens, the last one closes. The only static state of the binding. Thread-safe.
 */
final class SharedLinks {
    private static final Map<EmbeddedSettings, SharedLinks> OPEN = new HashMap<>();

    private final ClusterLinks links;
    private int users;

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

    static void release(EmbeddedSettings settings) {
        synchronized (OPEN) {
            SharedLinks shared = OPEN.get(settings);
            shared.users--;
            if (shared.users == 0) {
                OPEN.remove(settings);
                shared.links.close();
            }
        }
    }
}
