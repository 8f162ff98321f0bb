package io.ycsbdrill.fault.inventory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which faults are open, recorded on the hosts of the nodes, so that they can be undone from any machine after the end of the process
 * that injected them, whatever its end. Thread-safe.
 */
public interface HealJournal {
    /** Records nothing. */
    HealJournal NONE = new HealJournal() {
        @Override
        public void opened(String node, String fault) {
            // Nowhere to record it.
        }

        @Override
        public void closed(String node, Set<String> faults) {
            // As above.
        }

        @Override
        public Map<String, List<String>> open(Consumer<String> problems) {
            return Map.of();
        }
    };

    /**
     * A fault is about to be injected.
     *
     * @param fault a word for it
     * @throws io.ycsbdrill.fault.node.NodeControlException when that cannot be recorded; then it must not be injected
     */
    void opened(String node, String fault);

    /**
     * Faults of a node are over.
     *
     * @param faults the words for them; others stay open
     * @throws io.ycsbdrill.fault.node.NodeControlException when that cannot be recorded
     */
    void closed(String node, Set<String> faults);

    /**
     * Asks all hosts.
     *
     * @param problems notified of each host that does not answer
     * @return by node what is open there, each with its time and who injected it: {@code pause 2026-11-24T07:00:00Z ops@admin1}
     */
    Map<String, List<String>> open(Consumer<String> problems);
}
