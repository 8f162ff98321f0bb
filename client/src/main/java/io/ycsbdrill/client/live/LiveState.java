package io.ycsbdrill.client.live;

import java.util.List;

/**
 * What a command is doing, as the page says it.
 *
 * @param name for metrics: one of {@link #NAMES}
 * @param headline in a word
 * @param text more of it; may be empty
 * @param kind {@code pass}, {@code fail} or empty, which colours it
 * @param last whether nothing follows
 */
record LiveState(String name, String headline, String text, String kind, boolean last) {
    static final List<String> NAMES = List.of("preparing", "loading", "running", "ended");

    static final LiveState PREPARING =
            new LiveState("preparing", "Preparing", "finding or starting the cluster", "", false);
    static final LiveState RUNNING = new LiveState("running", "Running", "", "", false);
    static final LiveState CLOSING = new LiveState("ended", "The run has ended", "closing its data files", "", false);

    static LiveState loading(long records) {
        return new LiveState("loading", "Loading", records + " records, before the run", "", false);
    }
}
