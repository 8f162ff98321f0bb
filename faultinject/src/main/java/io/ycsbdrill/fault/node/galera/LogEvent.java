package io.ycsbdrill.fault.node.galera;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event in a server's error log.
 *
 * @param kind what
 * @param stamp when, as the log has it
 * @param exact whether the stamp has milliseconds; else it has whole seconds, and the event was in the second that it begins
 * @param text the server's own words
 * @param version of the server, for {@link Kind#STARTING}; else empty
 * @param view for {@link Kind#VIEW}; else null
 */
record LogEvent(Kind kind, Instant stamp, boolean exact, String text, String version, View view) {

    /** Kinds of events. */
    enum Kind {
        /** A server begins, to serve or only to recover. */
        STARTING,
        /** It has joined the group and asks for what it missed. */
        TRANSFER,
        /** It has everything up to a point, and catches up. */
        JOINED,
        /** It has caught up and serves. */
        SYNCED,
        /** It leaves in an orderly way. */
        LEAVING,
        /** It has failed to apply what the others have, and leaves until it is started again. */
        EXPELLED,
        /** Who is in the group from now on. */
        VIEW,
        /** A step worth keeping. */
        STEP
    }

    /**
     * The members of the group as one of them sees it.
     *
     * @param primary whether this part of the group serves
     * @param own id of the one that says so; empty when it is no member
     * @param members name by id, in the group's order
     */
    record View(boolean primary, String own, Map<String, String> members) {
        View {
            members = new LinkedHashMap<>(members);
        }
    }

    static LogEvent of(Kind kind, Instant stamp, String text) {
        return new LogEvent(kind, stamp, false, text, "", null);
    }
}
