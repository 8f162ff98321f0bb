package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.binding.Statuses;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.Status;

/**
 * From HTTP statuses to YCSB's. What is not in it is a failure, and for a write an unknown one: it is never OK. Immutable.
 */
public final class StatusTable {
    /** The statuses of HTTP itself that mean that the request was refused before anything was done. */
    public static final StatusTable HTTP = new StatusTable(Map.of())
            .with(Status.BAD_REQUEST, 400, 411, 413, 414, 415, 422, 431)
            .with(Status.FORBIDDEN, 401, 403, 407, 511)
            .with(Statuses.FAILED, 404, 405, 406, 410, 426, 501, 505)
            .with(Statuses.TEMPORARY, 429);

    private final Map<Integer, Status> codes;

    private StatusTable(Map<Integer, Status> codes) {
        this.codes = Map.copyOf(codes);
    }

    /** Returns this table with entries replaced or added. */
    public StatusTable with(Status status, int... also) {
        Map<Integer, Status> more = new HashMap<>(codes);
        for (int code : also) {
            more.put(code, status);
        }
        return new StatusTable(more);
    }

    /** Whether the code is in the table. */
    public boolean has(int code) {
        return codes.containsKey(code);
    }

    /**
     * @param write whether the request asked for a change
     * @return never null
     */
    public Status of(int code, boolean write) {
        Status known = codes.get(code);
        if (known != null) {
            return known;
        }
        return write ? Statuses.UNKNOWN : Statuses.FAILED;
    }
}
