package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's row of {@code ndbinfo.restart_info}, in which the master keeps the stages of the last restart in whole seconds:
 * a second opinion on the durations that the events give. Immutable.
 *
 * @param columns seconds by column name
 */
record RestartInfo(Map<String, Long> columns) {
    /** Largest difference that is not worth a word, for one column; each further one of a sum may add a second by rounding. */
    private static final double TOLERANCE_SECONDS = 2;

    private static final List<String> BEFORE_LOCAL_RECOVERY = List.of(
            "secs_to_include_in_heartbeat_protocol",
            "secs_until_wait_for_ndbcntr_master",
            "secs_wait_for_ndbcntr_master",
            "secs_to_get_start_permitted",
            "secs_to_wait_for_lcp_for_copy_meta_data",
            "secs_to_copy_meta_data",
            "secs_to_include_node",
            "secs_starting_node_to_request_local_recovery");
    private static final String LOCAL_RECOVERY = "secs_for_local_recovery";
    private static final String SYNCHRONISE = "secs_to_synchronize_starting_node";

    RestartInfo {
        columns = Map.copyOf(columns);
    }

    static String query(String node) {
        return "SELECT * FROM ndbinfo.restart_info WHERE node_id = " + Integer.parseInt(node);
    }

    /** Reads what {@code mysql --batch} prints: a line of names and a line of values, by tabs; without rows it is empty. */
    static RestartInfo parse(String printed) {
        List<String> lines = printed.lines().toList();
        Map<String, Long> columns = new HashMap<>();
        if (lines.size() >= 2) {
            String[] names = lines.get(0).split("\t", -1);
            String[] values = lines.get(1).split("\t", -1);
            for (int i = 0; i < Math.min(names.length, values.length); i++) {
                if (values[i].matches("[0-9]{1,9}")) {
                    columns.put(names[i], Long.parseLong(values[i]));
                }
            }
        }
        return new RestartInfo(columns);
    }

    /**
     * Where the events' durations and the row's differ by more than rounding explains.
     *
     * @param recovery one node's signals from NODE_DOWN to RECOVERED; stages with a missing end are left out
     */
    List<String> differences(List<EngineEvent> recovery) {
        Map<Signal, EngineEvent> at = new EnumMap<>(Signal.class);
        recovery.forEach(e -> at.put(e.signal(), e));
        boolean waited = at.containsKey(Signal.PROCESS_STARTED)
                && !at.get(Signal.PROCESS_STARTED).text().contains("Allocated node id");
        boolean initial = at.containsKey(Signal.SYNCHRONISE_STARTED)
                && !at.get(Signal.SYNCHRONISE_STARTED).text().contains("Synchronize");
        List<String> found = new ArrayList<>();
        compare(
                "failure-handling",
                at,
                Signal.NODE_DOWN,
                Signal.FAILURE_HANDLED,
                List.of("secs_to_complete_node_failure"),
                found);
        if (!waited) { // else the node had its id, and the row's clock ran, before it was ordered to start
            compare(
                    "down",
                    at,
                    Signal.FAILURE_HANDLED,
                    Signal.PROCESS_STARTED,
                    List.of("secs_to_allocate_node_id"),
                    found);
            List<String> local = new ArrayList<>(BEFORE_LOCAL_RECOVERY);
            if (!initial) {
                local.add(LOCAL_RECOVERY);
            }
            compare("local-recovery", at, Signal.PROCESS_STARTED, Signal.SYNCHRONISE_STARTED, local, found);
        }
        compare(
                "synchronise",
                at,
                Signal.SYNCHRONISE_STARTED,
                Signal.WAIT_CHECKPOINT_STARTED,
                initial ? List.of(LOCAL_RECOVERY, SYNCHRONISE) : List.of(SYNCHRONISE),
                found);
        compare(
                "wait-checkpoint",
                at,
                Signal.WAIT_CHECKPOINT_STARTED,
                Signal.RECOVERED,
                List.of("secs_wait_lcp_for_restart", "secs_wait_subscription_handover"),
                found);
        return found;
    }

    private void compare(
            String stage, Map<Signal, EngineEvent> at, Signal from, Signal to, List<String> names, List<String> found) {
        if (!at.containsKey(from) || !at.containsKey(to) || !columns.keySet().containsAll(names)) {
            return;
        }
        double events = (at.get(to).atNanos() - at.get(from).atNanos()) / 1e9;
        long row = names.stream().mapToLong(columns::get).sum();
        if (Math.abs(events - row) > TOLERANCE_SECONDS + names.size() - 1) {
            found.add(Formatted.of("%s: %.1f s by events, %d s by ndbinfo.restart_info", stage, events, row));
        }
    }
}
