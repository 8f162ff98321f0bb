package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.RunDocument;
import io.ycsbdrill.client.run.key.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether run directories are those of the clients of one run. Shares of the work, hosts and seeds may differ, nothing else. */
final class MergeCheck {
    /** Properties in which the clients of one run may differ. */
    private static final Set<String> SHARES = Set.of(
            "operationcount",
            "insertstart",
            "insertcount",
            KeyRange.PROPERTY,
            "label",
            "exporter",
            "exportfile",
            "status.interval");

    /** @throws MergeException with everything in which they are unlike */
    static void check(List<ClientFiles> clients) {
        List<String> problems = new ArrayList<>();
        ClientFiles first = clients.get(0);
        for (ClientFiles other : clients.subList(1, clients.size())) {
            for (String field : RunDocument.SAME_FOR_ALL_CLIENTS) {
                compare(
                        field.substring(1).replace('/', '.'),
                        first,
                        other,
                        first.run().at(field),
                        other.run().at(field),
                        problems);
            }
            JsonNode a = first.run().path("properties");
            JsonNode b = other.run().path("properties");
            Set<String> names = new TreeSet<>();
            a.fieldNames().forEachRemaining(names::add);
            b.fieldNames().forEachRemaining(names::add);
            names.removeAll(SHARES);
            for (ClientFiles client : List.of(first, other)) {
                client.run().path(RunDocument.OWN_PROPERTIES).forEach(name -> names.remove(name.asText()));
            }
            names.forEach(name -> compare("property " + name, first, other, a.path(name), b.path(name), problems));
        }
        for (int i = 0; i < clients.size(); i++) {
            for (ClientFiles other : clients.subList(i + 1, clients.size())) {
                pair(clients.get(i), other, problems);
            }
        }
        List<String> drills = clients.stream()
                .filter(ClientFiles::drills)
                .map(client -> client.directory().toString())
                .toList();
        if (drills.size() > 1) {
            problems.add("more than one client injected faults: " + String.join(", ", drills)
                    + "; one client of a run does the drill, the others run the workload");
        }
        if (!problems.isEmpty()) {
            throw new MergeException(problems);
        }
    }

    private static void compare(
            String name, ClientFiles a, ClientFiles b, JsonNode first, JsonNode second, List<String> problems) {
        String one = shown(first);
        String two = shown(second);
        if (!one.equals(two)) {
            problems.add(name + ": " + a.directory() + " has " + one + ", " + b.directory() + " has " + two);
        }
    }

    private static String shown(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? "none" : node.isValueNode() ? node.asText() : node.toString();
    }

    /** The same client twice, or the same records loaded by two. */
    private static void pair(ClientFiles a, ClientFiles b, List<String> problems) {
        String both = a.directory() + " and " + b.directory();
        if (a.part().isShare() && a.part().equals(b.part())) {
            problems.add(both + " are both client " + a.part() + "; give each client's directory once");
        } else if (a.started()
                && b.started()
                && a.run().path("seed").equals(b.run().path("seed"))
                && a.run().path("host").equals(b.run().path("host"))
                && a.startedAt().equals(b.startedAt())
                && !a.part().isShare()) {
            problems.add(both + " are the same run (seed, host and start); give each directory once");
        }
        long[] one = loaded(a);
        long[] two = loaded(b);
        if (one != null && two != null && one[0] < two[0] + two[1] && two[0] < one[0] + one[1]) {
            problems.add(both + " loaded the same records: insertstart=" + one[0] + " insertcount=" + one[1]
                    + " and insertstart=" + two[0] + " insertcount=" + two[1]
                    + "; give each client its own insertstart and insertcount");
        }
    }

    private static long[] loaded(ClientFiles client) {
        JsonNode load = client.summary().map(s -> s.path("load")).orElse(null);
        boolean complete = load != null
                && load.isObject()
                && client.run().path("properties").path(KeyRange.PROPERTY).isMissingNode();
        return complete
                ? new long[] {
                    load.path("insertStart").asLong(), load.path("insertCount").asLong()
                }
                : null;
    }
}
