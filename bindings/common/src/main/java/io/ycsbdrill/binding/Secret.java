package io.ycsbdrill.binding;

import io.ycsbdrill.base.Secrets;

/**
 * A password, token or key: compared by its text, and never shown in a message: what is masked
 * in texts, such as a server's messages, knows it.
 *
 * @param text not null
 */
public record Secret(String text) {
    public Secret {
        Secrets.know(text);
    }

    @Override
    public String toString() {
        return "***";
    }
}
