package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The few figures of a run that decide how a command ends; they are those of its files.
 *
 * @param seconds how long it ran
 * @param ok successful operations of all kinds
 * @param notOk operations that failed or are unknown
 * @param retries attempts after the first, of all operations
 * @param retriedOperations operations that needed more than one attempt
 * @param lostConnections connections that broke, on any server
 * @param regainedConnections how many of them were replaced by a new one
 * @param longestSecondsWithout the longest time that a thread was without a connection
 * @param unsent arrivals that were due when the load was stopped and had not been sent
 * @param oldestUnsentSeconds how long the oldest of them had been due
 * @param notLoaded records of a load that are not known to be in the table; 0 for a run
 */
public record RunFigures(
        double seconds,
        long ok,
        long notOk,
        long retries,
        long retriedOperations,
        long lostConnections,
        long regainedConnections,
        double longestSecondsWithout,
        long unsent,
        double oldestUnsentSeconds,
        long notLoaded) {

    /** The figures of a {@code summary.json} and of the section {@code load} of {@code run.json}. */
    public static RunFigures of(JsonNode summary, JsonNode load) {
        JsonNode operations = summary.path("operations");
        JsonNode servers = summary.path("connections").path("servers");
        double longest = 0;
        for (JsonNode server : servers) {
            longest = Math.max(longest, server.path("longestSecondsWithout").asDouble());
        }
        return new RunFigures(
                summary.path("durationSeconds").asDouble(),
                sum(operations, "ok"),
                sum(operations, "failed") + sum(operations, "unknown"),
                sum(operations, "retries"),
                sum(operations, "retriedOperations"),
                sum(servers, "lost"),
                sum(servers, "regained"),
                longest,
                load.path("unsent").asLong(),
                load.path("oldestUnsentSeconds").asDouble(),
                summary.at("/load/insertCount").asLong()
                        - summary.at("/load/inserted").asLong());
    }

    private static long sum(JsonNode entries, String field) {
        long sum = 0;
        for (JsonNode entry : entries) {
            // What contains other operations, or is part of one, would count twice.
            sum += !entry.path("counted").asBoolean(true)
                    ? 0
                    : entry.path(field).asLong();
        }
        return sum;
    }
}
