package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.node.http.HttpEngine;

/** HarperDB: clusters that somebody else runs, observed through the operations API of their servers. Stateless. */
public final class HarperDbEngine extends HttpEngine {
    static final String NAME = "harperdb";

    /** For {@link java.util.ServiceLoader}. */
    public HarperDbEngine() {
        super(
                NAME,
                40,
                HarperDbNodes::connect,
                "a HarperDB cluster whose operations API answers on the hosts of rest.endpoints (rest.dialect=harperdb)");
    }
}
