package io.ycsbdrill.fault.node.ndb.mgm;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A management server's answer: a header line, then {@code name: value} lines.
 *
 * @param header the first line; empty when the answer has none, as that to an unknown command
 * @param fields in the order received; lines without a separator are kept with an empty value
 */
record MgmReply(String header, Map<String, String> fields) {
    MgmReply {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Reads the lines of one answer, without the empty line that ends it. */
    static MgmReply parse(List<String> lines) {
        String header = "";
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int separator = line.indexOf(':');
            if (i == 0 && separator < 0) {
                header = line;
            } else if (separator < 0) {
                fields.put(line, "");
            } else {
                fields.put(
                        line.substring(0, separator).strip(),
                        line.substring(separator + 1).strip());
            }
        }
        return new MgmReply(header, fields);
    }

    /** The value of a field, or the fallback when it is absent. */
    String get(String name, String fallback) {
        return fields.getOrDefault(name, fallback);
    }

    /** A whole number, or the fallback when it is absent or not a number. */
    int number(String name, int fallback) {
        try {
            return Integer.parseInt(fields.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            return fallback;
        }
    }

    /** Whether the server refused because it requires TLS, which this client does not support. */
    boolean refusedForTls() {
        return header.startsWith("Authorization failed") || fields.containsKey("Authorization failed");
    }
}
