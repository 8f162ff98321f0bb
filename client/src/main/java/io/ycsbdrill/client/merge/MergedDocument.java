package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.key.KeyRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** {@code run.json} of a merged run, and what is to be said about it. */
final class MergedDocument {
    private static final String WIRE = "/client/wire";
    private static final List<String> SUMMED = List.of("operationcount", "insertcount");

    private final List<AlignedClient> clients;
    private final JsonNode first;
    private final List<String> command;

    MergedDocument(List<AlignedClient> clients, List<String> command) {
        this.clients = clients;
        this.first = clients.get(0).run();
        this.command = command;
    }

    RunResult.State state(List<String> more) {
        List<String> states = clients.stream()
                .map(client -> client.run().path("state").asText("incomplete"))
                .toList();
        if (!more.isEmpty()
                || !missing().isEmpty()
                || !Set.of("complete", "invalid").containsAll(states)) {
            return RunResult.State.INCOMPLETE;
        }
        return states.contains("invalid") ? RunResult.State.INVALID : RunResult.State.COMPLETE;
    }

    /** Why it is not complete. */
    List<String> reasons(List<String> more) {
        List<String> reasons = new ArrayList<>(more);
        reasons.addAll(missing());
        for (AlignedClient client : clients) {
            client.run()
                    .path("reasons")
                    .forEach(reason -> reasons.add("client " + client.number() + ": " + reason.asText()));
        }
        return reasons;
    }

    private List<String> missing() {
        Set<Integer> there = clients.stream()
                .map(client -> client.files().part().number())
                .collect(Collectors.toCollection(TreeSet::new));
        int of = clients.get(0).files().part().of();
        List<String> missing = new ArrayList<>();
        for (int number = 1; number <= of; number++) {
            if (of > 1 && !there.contains(number)) {
                missing.add("client " + number + " of " + of + " is missing");
            }
        }
        return missing;
    }

    /** What a reader of the figures must know. */
    List<String> notes() {
        return new MergedNotes(clients).all();
    }

    /** The whole document. */
    ObjectNode json(RunResult.State state, List<String> reasons, Instant origin, long endNanos) {
        ObjectNode run = first.deepCopy();
        clients.stream()
                .filter(client ->
                        client.files().drills() && client.run().path("drill").isObject())
                .findFirst()
                .ifPresent(client -> {
                    run.set("drill", client.run().path("drill"));
                    JsonNode proxies = client.run().path("proxies");
                    if (proxies.isArray()) {
                        run.set("proxies", proxies);
                    }
                });
        run.put("state", state.label());
        reasons.forEach(run.putArray("reasons")::add);
        command.forEach(run.putArray("command")::add);
        run.put("threads", sum("/threads"));
        if (origin == null) {
            run.putNull("startedAt").putNull("endedAt").putNull("durationNanos");
        } else {
            run.put("startedAt", origin.toString())
                    .put("endedAt", origin.plusNanos(endNanos).toString())
                    .put("durationNanos", endNanos)
                    .put("stoppedNanos", AlignedClient.stopNanos(clients));
        }
        boolean shares = clients.get(0).files().part().isShare();
        if (run.path("operations").isNumber()) {
            run.put("operations", sum("/operations"));
        }
        if (!shares && run.path("rate").isObject()) {
            scale((ObjectNode) run.path("rate"));
        }
        if (run.has("load")) {
            run.set("load", load());
        }
        if (run.path("opTimeout").isObject()) {
            abandoned((ObjectNode) run.path("opTimeout"));
        }
        properties((ObjectNode) run.path("properties"), shares);
        run.putObject("client")
                .put("cpuNanos", sumOfAll("/client/cpuNanos"))
                .put("gcMillis", sumOfAll("/client/gcMillis"))
                .set("wire", wire());
        run.remove(List.of("part", "start"));
        new MergedOwners(clients).section().ifPresent(section -> run.set("keyOwners", section));
        ArrayNode parts = run.putArray("clients");
        clients.forEach(client -> parts.add(client(client)));
        notes().forEach(run.putArray("notes")::add);
        return run;
    }

    /** The wire's figures of all clients together, when they are known of all, for the time of the merged run. */
    private JsonNode wire() {
        if (!clients.stream().allMatch(client -> client.run().at(WIRE).isObject() && !client.outlasts(clients))) {
            return NullNode.instance;
        }
        ObjectNode wire = RunDirectory.JSON.createObjectNode();
        for (String counter : List.of("sentBytes", "receivedBytes", "operations")) {
            wire.put(counter, sum(WIRE + "/" + counter));
        }
        return wire.put(
                        "seconds",
                        clients.stream()
                                .mapToDouble(client ->
                                        client.run().at(WIRE + "/seconds").asDouble())
                                .max()
                                .orElse(0))
                .put("closedConnections", sum(WIRE + "/closedConnections"));
    }

    private static ObjectNode client(AlignedClient client) {
        JsonNode run = client.run();
        ObjectNode node = RunDirectory.JSON
                .createObjectNode()
                .put("number", client.number())
                .put("directory", client.files().directory().getFileName().toString())
                .put("state", run.path("state").asText());
        for (String field :
                List.of("startedAt", "endedAt", "threads", "operations", "seed", "host", "client", "start")) {
            if (run.has(field)) {
                node.set(field, run.path(field));
            }
        }
        client.files().clock().ifPresent(clock -> node.set("clock", clock.json()));
        if (client.files().started()) {
            node.put("offsetNanos", client.offsetNanos())
                    .put("windowErrorNanos", client.windowErrorNanos())
                    .put("sliceErrorNanos", client.sliceErrorNanos());
        }
        return node;
    }

    /** Clients that were started by hand have each a rate of their own. */
    private void scale(ObjectNode rate) {
        rate.path("segments").forEach(segment -> {
            for (String end : List.of("fromRate", "toRate")) {
                ((ObjectNode) segment).put(end, segment.path(end).asDouble() * clients.size());
            }
        });
        rate.put("capOperations", rate.path("capOperations").asLong() * clients.size());
    }

    /** The calls that were given up, as far as the clients could say, and for the time of the merged run. */
    private void abandoned(ObjectNode timeout) {
        for (String count : List.of("abandoned", "stillUnderWay", "mostUnderWay")) {
            List<JsonNode> counts = clients.stream()
                    .filter(client -> !client.outlasts(clients))
                    .map(client -> client.run().path("opTimeout").path(count))
                    .filter(JsonNode::isNumber)
                    .toList();
            if (counts.isEmpty()) {
                timeout.remove(count);
            } else {
                timeout.put(count, counts.stream().mapToLong(JsonNode::asLong).sum());
            }
        }
    }

    /** Each client has calibrated itself, or has a share of one rate; how far their maxima scatter together is not known. */
    JsonNode load() {
        JsonNode first = clients.get(0).files().run().path("load");
        if (!first.isObject()) {
            return first;
        }
        ObjectNode load = first.deepCopy();
        boolean shares = clients.get(0).files().part().isShare();
        load.remove(List.of("scatter", "failedShare", "doubt"));
        boolean calibrated = load.path("kind").asText().equals("share");
        for (String field : List.of("measuredMaximum", "rate")) {
            if (calibrated && loads(field).count() < clients.size()) {
                load.remove(field);
            } else if (calibrated || load.has(field) && !shares) {
                load.put(field, loads(field).sum());
            }
        }
        double maximum = load.path("measuredMaximum").asDouble();
        if (maximum > 0) {
            double failed = clients.stream()
                    .map(client -> client.run().path("load"))
                    .mapToDouble(own -> own.path("failedShare").asDouble()
                            * own.path("measuredMaximum").asDouble())
                    .sum();
            load.put("failedShare", failed / maximum);
        }
        String doubts = clients.stream()
                .filter(client -> client.run().at("/load/doubt").isTextual())
                .map(client -> "of client " + client.number() + ", "
                        + client.run().at("/load/doubt").asText())
                .collect(Collectors.joining("; "));
        if (!doubts.isEmpty()) {
            load.put("doubt", doubts);
        }
        // The share of all is sent from when the last one has measured its maximum; each says so since its own start.
        clients.stream()
                .filter(client -> client.run().at("/load/sinceSeconds").isNumber())
                .mapToDouble(client -> client.run().at("/load/sinceSeconds").asDouble()
                        + (calibrated ? client.offsetNanos() / 1e9 : 0))
                .max()
                .ifPresent(last -> load.put("sinceSeconds", last));
        if (load.has("unsent")) {
            unsent(load);
        }
        return load;
    }

    /** What a client owed when it was stopped later than the drill counts as far as it was due by then, at an even rate. */
    private void unsent(ObjectNode load) {
        double oldest = 0;
        double unsent = 0;
        for (AlignedClient client : clients) {
            JsonNode own = client.run().path("load");
            double age = own.path("oldestUnsentSeconds").asDouble();
            long later = Math.max(0, client.stoppedNanos() - AlignedClient.stopNanos(clients));
            double dueFor = age - later / 1e9;
            if (dueFor > 0) {
                oldest = Math.max(oldest, dueFor);
                unsent += own.path("unsent").asDouble() * dueFor / age;
            }
        }
        load.put("unsent", Math.round(unsent)).put("oldestUnsentSeconds", oldest);
    }

    private DoubleStream loads(String field) {
        return clients.stream()
                .map(client -> client.files().run().path("load").path(field))
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble);
    }

    private void properties(ObjectNode properties, boolean shares) {
        for (String name : SUMMED) {
            if (properties.has(name)) {
                properties.put(name, Long.toString(sum("/properties/" + name)));
            }
        }
        if (properties.has("insertstart")) {
            long start = numbers("/properties/insertstart").min().orElse(0);
            properties.put("insertstart", Long.toString(start));
        }
        if (properties.has("threadcount")) {
            properties.put("threadcount", Long.toString(sum("/threads")));
        }
        if (properties.has("target") && !shares) {
            properties.put("target", Double.toString(properties.path("target").asDouble() * clients.size()));
        }
        if (properties.has(KeyRange.PROPERTY)) {
            List<KeyRange> ranges = new ArrayList<>();
            clients.forEach(client -> ranges.addAll(KeyRange.parse(
                    client.run().path("properties").path(KeyRange.PROPERTY).asText())));
            properties.put(KeyRange.PROPERTY, KeyRange.text(KeyRange.joined(ranges)));
        }
    }

    private long sum(String pointer) {
        return numbers(pointer).sum();
    }

    /** Null when one of them did not end by itself: of one that was killed only the figure of its beginning is there. */
    private Long sumOfAll(String pointer) {
        return clients.stream()
                        .allMatch(client -> client.run().path("durationNanos").isNumber())
                ? Long.valueOf(sum(pointer))
                : null;
    }

    /** A number of {@code run.json}, by its JSON pointer, of each client. */
    private LongStream numbers(String pointer) {
        return clients.stream().mapToLong(client -> client.run().at(pointer).asLong());
    }
}
