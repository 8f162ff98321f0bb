package io.ycsbdrill.client.run.key;

/** What key sequences ask the client thread that they are used by; only that thread may ask. */
public interface InsertingThread {

    /** Its number, from 0. */
    int number();

    /** The record to insert now. */
    long currentKey();

    /** Whether the newest call of a transaction did what was asked. */
    boolean lastCallSucceeded();
}
