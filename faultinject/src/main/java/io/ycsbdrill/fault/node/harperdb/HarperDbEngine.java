package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.List;
import java.util.Optional;

/** HarperDB: clusters that somebody else runs, which are watched through the operations API of their servers. Stateless. */
public final class HarperDbEngine implements Engine {
    static final String NAME = "harperdb";

    /** For {@link java.util.ServiceLoader}. */
    public HarperDbEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int order() {
        return 40;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public Optional<RemoteCluster> remote(EngineContext context) {
        return context.servers()
                .of(NAME)
                .map(servers -> RemoteCluster.of(NAME, servers, () -> HarperDbNodes.connect(servers)));
    }

    @Override
    public Optional<String> remoteHint() {
        return Optional.of(
                "a HarperDB cluster whose operations API answers on the hosts of rest.endpoints (rest.dialect=harperdb)");
    }
}
