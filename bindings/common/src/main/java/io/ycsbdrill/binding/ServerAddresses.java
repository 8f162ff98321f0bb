package io.ycsbdrill.binding;

import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** The servers in a binding's properties, as nodes of a drill or for a proxy that is to stand before each. Stateless and thread-safe. */
public interface ServerAddresses {

    /** The properties that name them; without the first, they name no server. */
    List<String> properties();

    /** Whether the properties name servers. */
    default boolean areIn(Properties properties) {
        return properties.getProperty(properties().get(0)) != null;
    }

    /**
     * The servers, each as {@code host:port}.
     *
     * @throws IllegalArgumentException when they cannot be told from the form of the properties
     */
    List<String> in(Properties properties);

    /** Why no proxy can stand before one of them; empty when it can. */
    default Optional<String> unproxied(Properties properties) {
        return Optional.empty();
    }

    /**
     * Sends the binding to other servers.
     *
     * @param addresses one for each of {@link #in}, in the same order, as {@code host:port}
     */
    void replace(Properties properties, List<String> addresses);
}
