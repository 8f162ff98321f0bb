package io.ycsbdrill.fault;

/** What a fault is done to. */
public enum Subject {
    /** A node of the cluster. */
    NODE,
    /** The links between clients and servers, by a proxy of this tool's: no node is touched. */
    CLIENT_LINKS,
    /** Nothing: a placebo. */
    NOTHING
}
