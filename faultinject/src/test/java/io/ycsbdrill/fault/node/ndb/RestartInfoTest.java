package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartInfoTest {
    private static final String NAMES =
            "node_id\tnode_restart_status\tnode_restart_status_int\tsecs_to_complete_node_failure\tsecs_to_allocate_node_id\t"
                    + "secs_to_include_in_heartbeat_protocol\tsecs_until_wait_for_ndbcntr_master\tsecs_wait_for_ndbcntr_master\t"
                    + "secs_to_get_start_permitted\tsecs_to_wait_for_lcp_for_copy_meta_data\tsecs_to_copy_meta_data\t"
                    + "secs_to_include_node\tsecs_starting_node_to_request_local_recovery\tsecs_for_local_recovery\t"
                    + "secs_restore_fragments\tsecs_undo_disk_data\tsecs_exec_redo_log\tsecs_index_rebuild\t"
                    + "secs_to_synchronize_starting_node\tsecs_wait_lcp_for_restart\tsecs_wait_subscription_handover\t"
                    + "total_restart_secs\n";

    @Test
    void roundingIsNoDifference() {
        RestartInfo info = RestartInfo.parse(
                NAMES + "2\tRestart completed\t19\t0\t3\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t2\t6\t8\t20\n");

        assertThat(info.columns())
                .containsEntry("secs_wait_subscription_handover", 8L)
                .doesNotContainKey("node_restart_status");
        assertThat(info.differences(recovery("Synchronize start node with live nodes", 0, 0.1, 3.1, 5.3, 7.2, 21.9)))
                .isEmpty();
    }

    @Test
    void differencesAreToldByStage() {
        RestartInfo info = RestartInfo.parse(
                NAMES + "2\tRestart completed\t19\t0\t3\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t9\t6\t8\t27\n");

        assertThat(info.differences(recovery("Synchronize start node with live nodes", 0, 0.1, 7.1, 9.3, 11.2, 26.9)))
                .containsExactly(
                        "down: 7.0 s by events, 3 s by ndbinfo.restart_info",
                        "synchronise: 1.9 s by events, 9 s by ndbinfo.restart_info");
    }

    /** After an initial restart the row counts the first copy as local recovery; the stages here do not. */
    @Test
    void firstCopyOfAnInitialRestartBelongsToSynchronise() {
        RestartInfo info = RestartInfo.parse(
                NAMES + "2\tRestart completed\t19\t0\t3\t1\t0\t0\t0\t0\t0\t0\t0\t40\t40\t0\t0\t0\t10\t6\t8\t20\n");

        assertThat(info.differences(recovery("Restore fragments ongoing", 0, 0.1, 3.1, 4.3, 54.4, 68.5)))
                .isEmpty();
    }

    @Test
    void stageWithoutAnEndIsLeftOut() {
        RestartInfo info = RestartInfo.parse(
                NAMES + "2\tRestart completed\t19\t0\t3\t1\t0\t0\t0\t0\t0\t0\t0\t40\t40\t0\t0\t0\t10\t6\t8\t20\n");

        assertThat(info.differences(List.of(at(Signal.NODE_DOWN, 0, ""), at(Signal.RECOVERED, 9, ""))))
                .isEmpty();
        assertThat(RestartInfo.parse("").columns()).isEmpty();
        assertThat(RestartInfo.parse("").differences(recovery("Synchronize", 0, 1, 2, 3, 4, 5)))
                .isEmpty();
    }

    private static List<EngineEvent> recovery(
            String synchronise, double down, double handled, double process, double sync, double wait, double whole) {
        return List.of(
                at(Signal.NODE_DOWN, down, "NODE_FAILREP"),
                at(Signal.FAILURE_HANDLED, handled, ""),
                at(Signal.PROCESS_STARTED, process, "NEW=Allocated node id"),
                at(Signal.SYNCHRONISE_STARTED, sync, "NEW=" + synchronise),
                at(Signal.WAIT_CHECKPOINT_STARTED, wait, ""),
                at(Signal.RECOVERED, whole, ""));
    }

    private static EngineEvent at(Signal signal, double seconds, String text) {
        return new EngineEvent((long) (seconds * 1e9), Instant.EPOCH, "2", signal, "mgmd", text);
    }
}
