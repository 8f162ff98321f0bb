package io.ycsbdrill.binding;

/**
 * A password, token or key: equal by its text, and never part of a message.
 *
 * @param text not null
 */
public record Secret(String text) {
    @Override
    public String toString() {
        return "***";
    }
}
