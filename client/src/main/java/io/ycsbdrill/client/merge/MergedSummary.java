package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.file.LostConnections;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.RunTotals;
import io.ycsbdrill.client.run.file.Summary;
import io.ycsbdrill.client.run.key.KeyRange;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.rundir.HistogramLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Adds the summaries of several clients. For one thread. */
final class MergedSummary {
    private static final List<String> RANGES = List.of("failedRanges", "unknownRanges", "notStartedRanges");
    private static final List<String> KEYS = List.of("failedKeys", "unknownKeys");

    private final List<AlignedClient> clients;
    private final Operations operations;
    private final TreeMap<Integer, OperationTotals> sums = new TreeMap<>();
    private long startNanos = -1;
    private long endNanos;
    private long skipped;
    private long transactions;
    private boolean transactionsKnown = true;

    MergedSummary(List<AlignedClient> clients, Operations operations) {
        this.clients = clients;
        this.operations = operations;
    }

    /** The sums of the time that the clients' own summaries cover. */
    RunTotals totals() throws IOException {
        for (AlignedClient client : clients) {
            Optional<JsonNode> summary = client.summary(clients);
            if (summary.isEmpty() || !client.files().hasTotals()) {
                fromWindows(client);
            } else {
                fromSummary(client, summary.get());
            }
            summary.ifPresent(this::countsOf);
        }
        OptionalLong known = transactionsKnown ? OptionalLong.of(transactions) : OptionalLong.empty();
        return RunTotals.of(startNanos, endNanos, skipped, known, sums);
    }

    private OperationTotals sum(String operation) {
        return sums.computeIfAbsent(operations.id(operation), none -> new OperationTotals());
    }

    private void cover(long from, long to) {
        if (to > from) {
            startNanos = Math.max(0, startNanos < 0 ? from : Math.min(startNanos, from));
            endNanos = Math.max(endNanos, to);
        }
    }

    private void fromSummary(AlignedClient client, JsonNode summary) {
        long offset = client.offsetNanos();
        JsonNode trimmed = summary.path("trimmed");
        cover(
                offset + Math.round(trimmed.path("startSeconds").asDouble() * 1e9),
                offset + Math.round(trimmed.path("endSeconds").asDouble() * 1e9));
        skipped += summary.path("skipped").asLong();
        client.files().totals().forEach(line -> sum(line.operation()).add(line));
    }

    /**
     * Of a client that was killed, or of an earlier version: its whole windows between warm-up and cool-down. Of one that went on after
     * the drill: those until the load of the drill was stopped.
     */
    private void fromWindows(AlignedClient client) throws IOException {
        ClientFiles files = client.files();
        if (!files.started()) {
            return;
        }
        long from = warmupNanos(files.run());
        boolean cut = client.outlasts(clients);
        long stopped = (cut ? AlignedClient.stopNanos(clients) : client.stoppedNanos()) - client.offsetNanos();
        long cooldown = files.run().path("cooldownNanos").asLong();
        // As in RunTotals: what ends after the stop counts when there is no cool-down, but takes no time of the run.
        long to = cooldown == 0 && !cut ? files.endNanos() : stopped - cooldown;
        long begun = 0;
        try (ClientWindows all = files.windows()) {
            for (Optional<ClientWindow> next = all.next(); next.isPresent(); next = all.next()) {
                ClientWindow window = next.get();
                if (window.startNanos >= from && window.endNanos <= to) {
                    cover(
                            client.offsetNanos() + window.startNanos,
                            client.offsetNanos() + Math.min(window.endNanos, stopped));
                    skipped += window.skipped;
                    for (HistogramLine line : window.histograms) {
                        sum(line.operation()).add(line);
                        begun += begun(line);
                    }
                }
            }
        }
        if (client.summary(clients).isEmpty()) {
            transactions += begun;
            transactionsKnown &= files.callsTellTransactions();
        }
    }

    private static long warmupNanos(JsonNode run) {
        JsonNode load = run.path("load");
        JsonNode calibration = load.path("calibrationSeconds");
        return Math.max(
                run.path("warmupNanos").asLong(),
                calibration.isNumber()
                        ? Calibration.warmupNanos(load.path("measuredToSeconds").asInt(calibration.asInt()))
                        : 0);
    }

    /** How many transactions its calls began: a read-modify-write, which is reported beside them, is one of two calls. */
    private long begun(HistogramLine line) {
        if (line.response()) {
            return 0;
        }
        if (line.operation().equals(Operations.READ_MODIFY_WRITE)) {
            return -line.values();
        }
        return Operations.isCall(operations.id(line.operation())) ? line.values() : 0;
    }

    private void countsOf(JsonNode summary) {
        transactions += summary.path("transactions").asLong();
        transactionsKnown &= summary.has("transactions");
        summary.path("operations").properties().forEach(entry -> {
            OperationTotals sum = sum(entry.getKey());
            sum.addRetries(
                    entry.getValue().path("retries").asLong(),
                    entry.getValue().path("retriedOperations").asLong());
            entry.getValue().path("returns").properties().forEach(status -> sum.returns()
                    .merge(status.getKey(), status.getValue().asLong(), Long::sum));
        });
    }

    /** {@code summary.json}. */
    ObjectNode json(RunTotals totals, long durationNanos, RetryPolicy retry) {
        ObjectNode summary = Summary.of(totals, operations, durationNanos, inFlight(), Optional.empty(), retry);
        if (clients.get(0).run().path("mode").asText().equals("load")) {
            summary.set("load", load());
        }
        List<JsonNode> reported = nodes("connections");
        if (!reported.isEmpty()) {
            summary.set("connections", connections(reported));
        }
        return summary;
    }

    private List<JsonNode> nodes(String name) {
        return clients.stream()
                .flatMap(client -> client.summary(clients).stream())
                .map(summary -> summary.path(name))
                .filter(JsonNode::isObject)
                .toList();
    }

    private List<Summary.Unfinished> inFlight() {
        List<Summary.Unfinished> calls = new ArrayList<>();
        for (AlignedClient client : clients) {
            client.summary(clients).ifPresent(summary -> summary.path("inFlight")
                    .forEach(call -> calls.add(new Summary.Unfinished(
                            "client " + client.number() + " "
                                    + call.path("thread").asText(),
                            call.path("operation").asText(),
                            Outcome.valueOf(call.path("outcome").asText().toUpperCase(Locale.ROOT)),
                            Math.round(call.path("seconds").asDouble() * 1e9)))));
        }
        return calls;
    }

    private static ObjectNode connections(List<JsonNode> reported) {
        List<Optional<List<Reconnects.Server>>> threads = new ArrayList<>();
        for (JsonNode client : reported) {
            List<Reconnects.Server> servers = new ArrayList<>();
            client.path("servers")
                    .forEach(server -> servers.add(new Reconnects.Server(
                            server.path("server").asText(),
                            server.path("lost").asLong(),
                            server.path("regained").asLong(),
                            Math.round(server.path("secondsWithout").asDouble() * 1e9),
                            Math.round(server.path("longestSecondsWithout").asDouble() * 1e9))));
            threads.add(Optional.of(servers));
            for (long silent = client.path("silentThreads").asLong(); silent > 0; silent--) {
                threads.add(Optional.empty());
            }
        }
        return LostConnections.of(threads);
    }

    /** The load of all clients; the records of one that left no summary are not known to be loaded. */
    private ObjectNode load() {
        List<JsonNode> loads = new ArrayList<>();
        for (AlignedClient client : clients) {
            loads.add(client.files()
                    .summary()
                    .map(summary -> summary.path("load"))
                    .filter(JsonNode::isObject)
                    .orElseGet(() -> withoutSummary(client.files())));
        }
        ObjectNode sum = RunDirectory.JSON.createObjectNode();
        sum.put("insertStart", numbers(loads, "insertStart").min().orElse(0));
        addUp(sum, loads, "insertCount", "inserted");
        boolean numbered =
                loads.stream().allMatch(load -> load.path("failedRanges").isArray());
        for (String name : numbered ? RANGES : KEYS) {
            List<JsonNode> entries = new ArrayList<>();
            loads.forEach(load -> load.path(name).forEach(entries::add));
            entries.sort(Comparator.comparingLong(entry -> entry.path(0).asLong()));
            entries.forEach(sum.putArray(name)::add);
        }
        if (!numbered) {
            addUp(sum, loads, "unlistedKeys", "notStarted");
        }
        return sum;
    }

    private static void addUp(ObjectNode sum, List<JsonNode> loads, String... counts) {
        for (String count : counts) {
            sum.put(count, numbers(loads, count).sum());
        }
    }

    private static LongStream numbers(List<JsonNode> loads, String field) {
        return loads.stream().mapToLong(load -> load.path(field).asLong());
    }

    private static JsonNode withoutSummary(ClientFiles client) {
        JsonNode properties = client.run().path("properties");
        long start = properties.path("insertstart").asLong(0);
        long count = properties
                .path("insertcount")
                .asLong(client.run().path("operations").asLong(0));
        ObjectNode load = RunDirectory.JSON
                .createObjectNode()
                .put("insertStart", start)
                .put("insertCount", count)
                .put("inserted", 0);
        RANGES.forEach(load::putArray);
        ArrayNode unsure = load.withArray(client.started() ? "unknownRanges" : "notStartedRanges");
        String listed = properties.path(KeyRange.PROPERTY).asText("");
        List<KeyRange> ranges =
                listed.isEmpty() ? List.of(new KeyRange(start, start + count - 1)) : KeyRange.parse(listed);
        for (KeyRange range : ranges) {
            unsure.addArray().add(range.first()).add(range.last());
        }
        return load;
    }
}
