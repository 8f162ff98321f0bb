package io.ycsbdrill.fault.node.ndb.mgm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the lines of an event stream together to events: {@code log event reply}, {@code name=value} lines, an empty line.
 * Lines outside of a block ({@code <PING>}, damage) are skipped, and a block without its end is dropped when the next one
 * begins. Owned by one thread.
 */
public final class MgmEventReader {
    private static final String HEADER = "log event reply";

    private Map<String, String> block;

    /** Takes the next line, without its line end. */
    public Optional<MgmEvent> line(String line) {
        if (line.equals(HEADER)) {
            block = new LinkedHashMap<>();
            return Optional.empty();
        }
        if (block == null) {
            return Optional.empty();
        }
        if (!line.isEmpty()) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                block.put(line.substring(0, equals), line.substring(equals + 1));
            }
            return Optional.empty();
        }
        Map<String, String> fields = block;
        block = null;
        try {
            int type = Integer.parseInt(fields.remove("type"));
            int source = Integer.parseInt(fields.remove("source_nodeid"));
            fields.remove("time"); // always 0
            return Optional.of(new MgmEvent(type, source, fields));
        } catch (NumberFormatException e) {
            return Optional.empty(); // no type or no source: not an event that can be understood
        }
    }
}
