package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.http.HttpEngine;

/** CrateDB: clusters that somebody else runs, observed through the servers that the binding uses. Stateless. */
public final class CrateDbEngine extends HttpEngine {
    static final String NAME = "cratedb";

    /** For {@link java.util.ServiceLoader}. */
    public CrateDbEngine() {
        super(
                NAME,
                30,
                CrateDbNodes::connect,
                "a CrateDB cluster that answers at rest.endpoints (rest.dialect=cratedb)");
    }
}
