package io.ycsbdrill.client.merge;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

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

    /**
     * Aligns clients that have started. The grid is that of the client that drills, whose phases and windows so keep belonging
     * together, else that of the one that started first.
     */
    static List<AlignedClient> align(List<ClientFiles> clients, Instant origin) {
        long window = clients.get(0).run().path("windowNanos").asLong();
        long slice = clients.get(0).run().path("sliceNanos").asLong();
        return clients.stream()
                .map(client -> {
                    long offset = client.started()
                            ? Duration.between(origin, client.startedAt()).toNanos()
                            : 0;
                    return new AlignedClient(
                            client.part().isShare() ? client.part().number() : clients.indexOf(client) + 1,
                            client,
                            offset,
                            nearest(offset, window),
                            (int) nearest(offset, slice));
                })
                .toList();
    }

    /** The start of the merged run: no client started more than half a slice before it. */
    static Instant origin(List<ClientFiles> clients) {
        long window = clients.get(0).run().path("windowNanos").asLong();
        long slice = clients.get(0).run().path("sliceNanos").asLong();
        List<ClientFiles> started =
                clients.stream().filter(ClientFiles::started).toList();
        Instant first = started.stream()
                .map(ClientFiles::startedAt)
                .min(Instant::compareTo)
                .orElseThrow();
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

    /** How far its windows lie beside those of the merged run that they were added to; at most half a window. */
    long windowErrorNanos() {
        return offsetNanos - windowShift * files.run().path("windowNanos").asLong();
    }

    /** How far its slices lie beside those that they were added to; at most half a slice. */
    long sliceErrorNanos() {
        return offsetNanos - sliceShift * files.run().path("sliceNanos").asLong();
    }

    /** Its end since the merged run's start. */
    long endNanos() {
        return offsetNanos + files.endNanos();
    }
}
