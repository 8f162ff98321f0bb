package io.ycsbdrill.base;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The phases of one node's failure and recovery, in order: the one table from which the recovery tracker, the report, the
 * drill schema and the docs take their names. They are the same for every engine; a phase that an engine does not have is
 * skipped: absent, never zero.
 *
 * <p>Colours are those of Okabe and Ito (2008), which people with any kind of colour vision can tell apart.
 */
public enum Phase {
    /** Before the first fault, and after the last recovery. */
    STEADY("steady", "", "steady", "#FFFFFF"),
    /** The fault is being injected; the node is not yet down. */
    FAULT("fault", "", "fault", "#F0E442"),
    /** The node is down and the survivors reorganise. */
    FAILURE_HANDLING("failure-handling", "", "handling", "#D55E00"),
    /** The survivors carry on without the node. */
    DOWN("down", "", "down", "#7F7F7F"),
    /** The node is back and recovers what it has on its own disk. */
    LOCAL_RECOVERY("local-recovery", "LRS", "LRS", "#E69F00"),
    /** The node copies what it missed from the live nodes. */
    SYNCHRONISE("synchronise", "SS", "SS", "#56B4E9"),
    /** The node has the data and waits for a checkpoint or a hand-over. */
    WAIT_CHECKPOINT("wait-checkpoint", "WLCP", "WLCP", "#009E73"),
    /** The engine reports the node as fully recovered: redundancy restored. */
    RECOVERED("recovered", "", "recovered", "#FFFFFF");

    private final String label;
    private final String stage;
    private final String brief;
    private final String colour;

    Phase(String label, String stage, String brief, String colour) {
        this.label = label;
        this.stage = stage;
        this.brief = brief;
        this.colour = colour;
    }

    /** The name in files, charts and on the terminal. */
    public String label() {
        return label;
    }

    /** The short name of the stage in the RonDB availability benchmark: LRS, SS or WLCP; empty for the other phases. */
    public String stage() {
        return stage;
    }

    /** A name that is short enough for a label inside a chart. */
    public String brief() {
        return brief;
    }

    /** The colour of its shading in charts, as {@code #RRGGBB}. */
    public String colour() {
        return colour;
    }

    /** The phases in which a node is not fully in service, in order: all but {@link #STEADY} and {@link #RECOVERED}. */
    public static List<Phase> unhealthy() {
        return Arrays.stream(values())
                .filter(p -> p != STEADY && p != RECOVERED)
                .toList();
    }

    /** The phase with this label; empty when there is none. */
    public static Optional<Phase> labelled(String label) {
        return Arrays.stream(values()).filter(p -> p.label.equals(label)).findFirst();
    }
}
