package io.ycsbdrill.binding;

/**
 * A password, token or key: compared by its text, and never shown in a message.
 *
 * @param text not null
 */
public record Secret(String text) {
    @Override
    public String toString() {
        return "***";
    }
}
