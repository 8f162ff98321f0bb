package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A client and where its time lies in the merged run. Windows and slices cannot be cut, so they move by whole windows and slices to
 * the nearest place; markers move exactly.
 *
 * @param number for messages and files: its number as a share, else its place in the command
 * @param files of the client
 * @param offsetNanos its start since the merged run's start, by its own machine's clock
 * @param windowShift windows of the merged run before its first one
 * @param sliceShift slices of the merged run before its first one
 */
record AlignedClient(int number, ClientFiles files, long offsetNanos, long windowShift, int sliceShift) {
    /** All slices from the first start to the last end are held in memory. */
    private static final Duration FARTHEST = Duration.ofDays(1);

    /**
     * Aligns clients that have started. The grid is that of the client that drills, whose phases and windows so keep belonging
     * together, else that of the one that started first.
     */
    static List<AlignedClient> align(List<ClientFiles> clients, Instant origin) {
        List<AlignedClient> aligned = new ArrayList<>();
        for (ClientFiles client : clients) {
            int number = client.part().isShare() ? client.part().number() : aligned.size() + 1;
            long offset = client.started()
                    ? Duration.between(origin, client.startedAt()).toNanos()
                    : 0;
            long windows = nearest(offset, client.windowNanos());
            aligned.add(new AlignedClient(number, client, offset, windows, (int) nearest(offset, client.sliceNanos())));
        }
        return aligned;
    }

    /**
     * The start of the merged run: no client started more than half a slice before it.
     *
     * @throws MergeException when their starts lie too far apart
     */
    static Instant origin(List<ClientFiles> clients) {
        long window = clients.get(0).windowNanos();
        long slice = clients.get(0).sliceNanos();
        List<ClientFiles> started =
                clients.stream().filter(ClientFiles::started).toList();
        Instant first = started.stream()
                .map(ClientFiles::startedAt)
                .min(Instant::compareTo)
                .orElseThrow();
        for (ClientFiles client : started) {
            Duration later = Duration.between(first, client.startedAt());
            if (later.compareTo(FARTHEST) > 0) {
                throw new MergeException(client.directory() + ": it started at " + client.startedAt()
                        + ", and another client at " + first + ": clients of one run start within a day; leave it out");
            }
        }
        Instant grid = started.stream()
                .filter(ClientFiles::drills)
                .findFirst()
                .map(ClientFiles::startedAt)
                .orElse(first);
        long before = Duration.between(first, grid).toNanos() - slice / 2;
        long windows = before <= 0 ? 0 : (before + window - 1) / window;
        return grid.minusNanos(windows * window);
    }

    private static long nearest(long nanos, long unit) {
        return Math.floorDiv(nanos + unit / 2, unit);
    }

    /** The client that drills. */
    static Optional<AlignedClient> drill(List<AlignedClient> clients) {
        return clients.stream().filter(client -> client.files().drills()).findFirst();
    }

    /** Those that say how long the merged run is: what others do after a drill is another load. */
    static List<AlignedClient> lasting(List<AlignedClient> clients) {
        return clients.stream()
                .filter(client -> client.files().started() && !client.outlasts(clients))
                .toList();
    }

    /** End of the merged run, since its start; 0 when no client has started. */
    static long endNanos(List<AlignedClient> clients) {
        return lasting(clients).stream()
                .mapToLong(client -> client.endNanos())
                .max()
                .orElse(0);
    }

    /** When the load of the merged run was stopped, since its start: that of the drill, else of the last client. */
    static long stopNanos(List<AlignedClient> clients) {
        List<AlignedClient> started =
                clients.stream().filter(client -> client.files().started()).toList();
        return drill(started).map(AlignedClient::stoppedNanos).orElseGet(() -> started.stream()
                .mapToLong(AlignedClient::stoppedNanos)
                .max()
                .orElse(0));
    }

    /**
     * Whether its load went on for more than a window after the client that drills had ended, its last calls included: those of one
     * command are told to stop only then.
     */
    boolean outlasts(List<AlignedClient> clients) {
        return files.started()
                && drill(clients)
                        .filter(drill ->
                                drill.files().started() && stoppedNanos() > drill.endNanos() + files.windowNanos())
                        .isPresent();
    }

    /** Its summary; none when that is of a longer time than the merged run. */
    Optional<JsonNode> summary(List<AlignedClient> clients) {
        return outlasts(clients) ? Optional.empty() : files.summary();
    }

    /** How far its windows lie beside those of the merged run that they were added to; at most half a window. */
    long windowErrorNanos() {
        return offsetNanos - windowShift * files.windowNanos();
    }

    /** How far its slices lie beside those that they were added to; at most half a slice. */
    long sliceErrorNanos() {
        return offsetNanos - sliceShift * files.sliceNanos();
    }

    /** Its {@code run.json}. */
    JsonNode run() {
        return files.run();
    }

    /** Its end since the merged run's start. */
    long endNanos() {
        return offsetNanos + files.endNanos();
    }

    /** When its load was stopped, since the merged run's start. */
    long stoppedNanos() {
        return offsetNanos + run().path("stoppedNanos").asLong(files.endNanos());
    }
}
