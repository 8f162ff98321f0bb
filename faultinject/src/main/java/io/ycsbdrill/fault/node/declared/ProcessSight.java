package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.kit.Moment;
import java.util.Optional;

/**
 * What was seen of one server's process at one look. Immutable.
 *
 * @param process as {@code PID-START}; empty when it had none
 * @param at when that was so
 * @param begun when the process was started, or that moment where nothing else is known
 * @param known whether that is still known; else the process is the one that was seen last, if one ever was
 */
record ProcessSight(Optional<String> process, Moment at, Moment begun, boolean known) {
    ProcessSight(Optional<String> process, Moment at) {
        this(process, at, at, true);
    }
}
