package io.ycsbdrill.client.merge;

import io.ycsbdrill.base.Formatted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is to be said about a merged run: how its clients differ in their times, and what of them is in no figure. */
record MergedNotes(List<AlignedClient> clients) {
    private static final String BOOT = "/host/bootId";

    /** What a reader of the figures must know. */
    List<String> all() {
        List<String> notes = new ArrayList<>();
        notes.add(clocks());
        long slice = clients.get(0).files().sliceNanos();
        for (AlignedClient client : clients) {
            long error = client.windowErrorNanos();
            if (client.files().started() && Math.abs(error) > slice / 2) {
                notes.add(Formatted.of(
                        "windows of client %d begin %.3f s %s those of the merged run that they are added to, as the"
                                + " clients did not start together; its slices are at most %.3f s off, sums are exact",
                        client.number(), Math.abs(error) / 1e9, error > 0 ? "after" : "before", slice / 2e9));
            }
        }
        long last = AlignedClient.endNanos(clients);
        for (AlignedClient client : clients) {
            if (client.files().started() && last - client.endNanos() > slice) {
                notes.add(Formatted.of(
                        "client %d ended at %.1f s, %.1f s before the merged run; from there on it counts as zero",
                        client.number(), client.endNanos() / 1e9, (last - client.endNanos()) / 1e9));
            } else if (client.outlasts(clients)) {
                notes.add(Formatted.of(
                        "client %d went on after the end of the drill, and what it did after %.1f s is in no figure:"
                                + " its operations are those of its whole windows until the load of the drill was"
                                + " stopped, at %.1f s, %s; bytes on the wire are not known",
                        client.number(), last / 1e9, AlignedClient.stopNanos(clients) / 1e9, inNoSum(client)));
            }
        }
        clients.stream()
                .filter(client ->
                        client.files().started() && client.files().summary().isEmpty() && !client.outlasts(clients))
                .map(client -> "client " + client.number()
                        + " left no summary: its operations are those of its whole windows, " + inNoSum(client))
                .forEach(notes::add);
        for (AlignedClient client : clients) {
            if (client.files().isAudited()) {
                notes.add("the audit of client " + client.number()
                        + " is not merged and says little: what it calls lost or"
                        + " stale may be another client's write to the same key");
            }
        }
        boolean inserts =
                clients.get(0).run().at("/properties/insertproportion").asDouble(0) > 0;
        if (inserts
                && clients.size() > 1
                && !clients.get(0).files().part().isShare()
                && clients.get(0).run().path("mode").asText().equals("run")) {
            notes.add("the clients did not know of each other, so they inserted the same new keys");
        }
        return notes;
    }

    /** What windows do not tell. */
    private static String inNoSum(AlignedClient client) {
        return "and its statuses (Return=...), retries, lost connections and abandoned calls are in no sum"
                + (client.files().callsTellTransactions()
                        ? ""
                        : "; its transactions are not known, so there is no Throughput(ops/sec) of all");
    }

    private String clocks() {
        if (clients.stream().anyMatch(client -> client.files().clock().isPresent())) {
            AlignedClient reference = clients.stream()
                    .filter(client -> client.number() == 1)
                    .findFirst()
                    .orElse(clients.get(0));
            return clients.stream()
                    .filter(client -> client.files().started())
                    .map(client -> clock(client, reference))
                    .flatMap(Optional::stream)
                    .collect(Collectors.joining("; ", "clock offset between the clients: ", ""));
        }
        Set<String> machines = clients.stream().map(MergedNotes::machine).collect(Collectors.toSet());
        boolean known = clients.stream()
                .noneMatch(client -> client.run().at(BOOT).asText("").isEmpty());
        if (known && machines.size() == 1) {
            return "clock offset between the clients: none, they ran on one machine and read one clock";
        }
        return "clock offset between the clients: not known. They ran on "
                + (known ? machines.size() : "an unknown number of")
                + " machines, and no run directory tells how far two machines' clocks are apart; the start times that"
                + " differ (clients in run.json) are each by its own clock. Windows are off by as much as the clocks"
                + " are: keep them together by NTP";
    }

    /** Whose clock it read, as far as is known. */
    private static String machine(AlignedClient client) {
        String boot = client.run().at(BOOT).asText("");
        return boot.isEmpty() ? client.run().at("/host/name").asText("?") : boot;
    }

    /** Nothing is to be said of a client on the machine whose clock the others were compared with. */
    private static Optional<String> clock(AlignedClient client, AlignedClient reference) {
        Optional<String> compared = client.files()
                .clock()
                .map(clock -> Formatted.of(
                        "client %d was %.3f ms %s client 1, give or take %.3f ms, and is moved by as much",
                        client.number(),
                        Math.abs(clock.offsetNanos()) / 1e6,
                        clock.offsetNanos() >= 0 ? "ahead of" : "behind",
                        clock.uncertaintyNanos() / 1e6));
        return compared.isPresent() || machine(client).equals(machine(reference))
                ? compared
                : Optional.of(
                        "that of client " + client.number() + " is not known, and its times are by its own clock");
    }
}
