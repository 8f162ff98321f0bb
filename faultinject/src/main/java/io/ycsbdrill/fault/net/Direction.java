package io.ycsbdrill.fault.net;

/** Which of the two streams of a connection a disturbance is about. */
public enum Direction {
    BOTH("both"),
    /** What the client sends. */
    TO_SERVER("to-server"),
    /** What the server answers. */
    TO_CLIENT("to-client");

    private final String label;

    Direction(String label) {
        this.label = label;
    }

    /** The word in drill files. */
    public String label() {
        return label;
    }

    /** Whether a disturbance of this direction is felt by the given stream, which is not {@link #BOTH}. */
    boolean covers(Direction stream) {
        return this == BOTH || this == stream;
    }
}
