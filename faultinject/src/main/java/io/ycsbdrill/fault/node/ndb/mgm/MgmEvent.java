package io.ycsbdrill.fault.node.ndb.mgm;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One event of a management server's stream. It carries no time of its own (the server always writes 0).
 *
 * @param type event number of NDB's {@code ndb_logevent.h}
 * @param source the node that said it: a data node or the management server
 * @param fields the event's own fields, in order
 */
public record MgmEvent(int type, int source, Map<String, String> fields) {
    public static final int CONNECTED = 0;
    public static final int DISCONNECTED = 1;
    public static final int START_STARTED = 10;
    public static final int START_COMPLETED = 11;
    public static final int START_PHASE_COMPLETED = 13;
    public static final int STOP_STARTED = 17;
    public static final int COPY_FRAGMENTS_STARTED = 24;
    public static final int COPY_FRAGMENTS_COMPLETED = 26;
    public static final int NODE_FAIL_COMPLETED = 27;
    public static final int NODE_FAIL_REPORT = 28;
    public static final int ARBIT_STATE = 29;
    public static final int MISSED_HEARTBEAT = 44;
    public static final int DEAD_DUE_TO_HEARTBEAT = 45;
    static final int WARNING_EVENT = 46;
    static final int INFO_EVENT = 49;
    public static final int STOP_COMPLETED = 53;
    public static final int STOP_FORCED = 59;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(CONNECTED, "Connected"),
            Map.entry(DISCONNECTED, "Disconnected"),
            Map.entry(START_STARTED, "NDBStartStarted"),
            Map.entry(START_COMPLETED, "NDBStartCompleted"),
            Map.entry(START_PHASE_COMPLETED, "StartPhaseCompleted"),
            Map.entry(STOP_STARTED, "NDBStopStarted"),
            Map.entry(COPY_FRAGMENTS_STARTED, "NR_CopyFragsStarted"),
            Map.entry(COPY_FRAGMENTS_COMPLETED, "NR_CopyFragsCompleted"),
            Map.entry(NODE_FAIL_COMPLETED, "NodeFailCompleted"),
            Map.entry(NODE_FAIL_REPORT, "NODE_FAILREP"),
            Map.entry(ARBIT_STATE, "ArbitState"),
            Map.entry(MISSED_HEARTBEAT, "MissedHeartbeat"),
            Map.entry(DEAD_DUE_TO_HEARTBEAT, "DeadDueToHeartbeat"),
            Map.entry(WARNING_EVENT, "WarningEvent"),
            Map.entry(INFO_EVENT, "InfoEvent"),
            Map.entry(STOP_COMPLETED, "NDBStopCompleted"),
            Map.entry(STOP_FORCED, "NDBStopForced"));

    public MgmEvent {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** A whole number; -1 when it is absent or not a number. */
    public int number(String name) {
        try {
            return (int) Long.parseLong(fields.getOrDefault(name, "-1"));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public boolean isText() {
        return type == INFO_EVENT || type == WARNING_EVENT;
    }

    /**
     * What the event says: the text of an info or warning event, else its name and fields. The text travels as 32-bit
     * words, each four little-endian bytes, ended by a zero byte.
     */
    public String text() {
        if (!isText()) {
            return NAMES.getOrDefault(type, "event " + type)
                    + fields.entrySet().stream()
                            .map(f -> " " + f.getKey() + "=" + f.getValue())
                            .collect(Collectors.joining());
        }
        String[] words = fields.getOrDefault("data", "").split(" +");
        byte[] bytes = new byte[words.length * 4];
        int length = 0;
        for (String word : words) {
            int value;
            try {
                value = (int) Long.parseLong(word);
            } catch (NumberFormatException e) {
                break; // a damaged event is read as far as it goes
            }
            for (int i = 0; i < 4; i++) {
                byte b = (byte) (value >>> (8 * i));
                if (b == 0) {
                    return new String(bytes, 0, length, StandardCharsets.UTF_8);
                }
                bytes[length++] = b;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
