package io.ycsbdrill.workload.tpcc;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What makes several calls one transaction. */
enum Mode {
    /** Nothing: each call takes effect by itself. */
    NONE("none"),
    /** The engine. */
    TX("tx"),
    /** The client. */
    TWO_PHASE("2pc");

    private final String label;

    Mode(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Mode::label).toList();
    }

    static Optional<Mode> of(String label) {
        return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst();
    }
}
