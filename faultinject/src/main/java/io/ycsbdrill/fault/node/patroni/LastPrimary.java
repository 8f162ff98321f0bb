package io.ycsbdrill.fault.node.patroni;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Who is primary, from one look to the next. Of several that take themselves for primary the one of the latest timeline is: another one has
 * been promoted since then. When that one is silent for a moment, an older one that was cut off is not primary again: only when the later
 * one says itself that it is not, or has been silent for some time. Thread-safe.
 */
final class LastPrimary {
    private static final int SILENT_LOOKS = 6;

    private String node = "";
    private long timeline;
    private int silent;

    /** Who is primary now, if anybody is. */
    synchronized Optional<HostedMember> of(Map<String, HostedMember> members) {
        Optional<HostedMember> latest = members.values().stream()
                .filter(HostedMember::primary)
                .max(Comparator.comparingLong(HostedMember::timeline).thenComparing(HostedMember::node));
        silent = members.containsKey(node) ? 0 : silent + 1;
        if (latest.isEmpty()) {
            return latest;
        }
        HostedMember found = latest.get();
        boolean older = found.timeline() < timeline && !found.node().equals(node);
        if (older && silent > 0 && silent < SILENT_LOOKS) {
            return Optional.empty();
        }
        node = found.node();
        timeline = found.timeline();
        silent = 0;
        return latest;
    }
}
