package io.ycsbdrill.client.run.measure;

/** Tells who owns the key of an operation; used by one client thread. */
@FunctionalInterface
public interface KeyOwner {
    /** An owner that is not known, or not asked for. */
    int NONE = -1;

    /** @return the number of the owner, from 0, or {@link #NONE} */
    int of(String table, String key);
}
