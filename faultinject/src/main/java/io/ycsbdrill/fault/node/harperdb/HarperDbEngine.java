package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.http.HttpEngine;
import java.util.List;
import java.util.Optional;

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

    /** A node is not initialised by default: its data are beside its configuration, which has to stay. */
    @Override
    public EngineDefaults defaults() {
        return new EngineDefaults(
                "/home/harperdb/hdb/hdb.pid",
                List.of("harperdb", "harper"),
                "",
                "",
                List.of("harperdb", "start"),
                List.of());
    }

    @Override
    public Optional<String> withoutPrimary() {
        return Optional.of(NodeController.noPrimary(NAME));
    }
}
