package io.ycsbdrill.binding;

import site.ycsb.DBException;

/**
 * A binding ({@link site.ycsb.DB}) that can say what is wrong with its properties without touching a server, so that a wrong
 * one is found before anything is started.
 */
public interface ChecksProperties {
    /**
     * Reads the properties as {@link site.ycsb.DB#init} would. To be called after {@link site.ycsb.DB#setProperties} and before
     * {@code init}, if at all; opens nothing.
     *
     * @throws DBException naming every property that is wrong
     */
    void checkProperties() throws DBException;
}
