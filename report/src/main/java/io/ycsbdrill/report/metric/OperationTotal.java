package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.Percentiles;
import java.util.Set;

/**
 * One operation over the (trimmed) run.
 *
 * @param counted whether it counts in totals; if not, it contains other operations or is part of one
 * @param opsPerSecond successful operations per second
 * @param service times from the start of the call
 * @param response times from the intended start; absent without a rate
 */
public record OperationTotal(
        String operation,
        boolean counted,
        double ok,
        double failed,
        double unknown,
        double opsPerSecond,
        Percentiles service,
        Percentiles response) {

    /** What counts where the file does not say so, as older ones: the operations that others consist of. */
    private static final Set<String> CALLS = Set.of("READ", "UPDATE", "INSERT", "SCAN", "DELETE");

    /** Whether an operation of {@code summary.json} counts. */
    public static boolean isCounted(String operation, JsonNode totals) {
        return totals.path("counted").asBoolean(isCall(operation));
    }

    static boolean isCall(String operation) {
        return CALLS.contains(operation);
    }
}
