package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.List;
import java.util.Optional;

/** CrateDB: clusters that somebody else runs, which are watched through the servers that the binding uses. Stateless. */
public final class CrateDbEngine implements Engine {
    static final String NAME = "cratedb";

    /** For {@link java.util.ServiceLoader}. */
    public CrateDbEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int order() {
        return 30;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public Optional<RemoteCluster> remote(EngineContext context) {
        return context.servers()
                .of(NAME)
                .map(servers -> RemoteCluster.of(NAME, servers, () -> CrateDbNodes.connect(servers)));
    }

    @Override
    public Optional<String> remoteHint() {
        return Optional.of("a CrateDB cluster that answers at rest.endpoints (rest.dialect=cratedb)");
    }
}
