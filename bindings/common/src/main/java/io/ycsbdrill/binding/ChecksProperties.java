package io.ycsbdrill.binding;

import java.util.Optional;
import site.ycsb.DBException;

/**
 * A binding ({@link site.ycsb.DB}) that can check its properties without connecting to a server, so that an invalid one is
 * found before anything is started.
 */
public interface ChecksProperties {
    /**
     * Checks the properties as {@link site.ycsb.DB#init} would. Called after {@link site.ycsb.DB#setProperties} and before
     * {@code init}, if at all; opens nothing.
     *
     * @throws DBException naming every invalid property
     */
    void checkProperties() throws DBException;

    /**
     * Looks for what the binding needs on this machine before it can connect. Called where a client runs here, after {@link
     * #checkProperties} found nothing wrong.
     *
     * @throws DBException naming what is not there, and what to do
     */
    default void checkInstallation() throws DBException {}

    /**
     * With these properties nothing but inserts is possible, so they are for loads without an audit. Called after {@link
     * #checkProperties} found nothing wrong.
     *
     * @return which property makes it so, and what to use instead, for messages; empty when rows can be read and changed
     */
    default Optional<String> insertsOnly() throws DBException {
        return Optional.empty();
    }
}
