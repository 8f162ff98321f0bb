package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An engine that nothing knows but a services file. */
public final class ToyEngine extends ScriptedEngine {
    private static final RemoteProperty ADDRESS =
            new RemoteProperty("toy.address", "HOST", "a server of a toy cluster");

    public ToyEngine() {
        super("toy", "toystore", Map.of("store", "toy"));
    }

    @Override
    public int order() {
        return 90;
    }

    @Override
    public List<Option> options() {
        return List.of(new Option("toy-size", "3", "how large the toy is"));
    }

    @Override
    public List<RemoteProperty> remoteProperties() {
        return List.of(ADDRESS);
    }

    @Override
    public Optional<RemoteCluster> remote(EngineContext context) {
        return Optional.of(context.property(ADDRESS.name()))
                .filter(address -> !address.isEmpty())
                .map(address -> new RemoteCluster(name(), address, "toy at " + address, Map.of(), () -> nodes));
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        return List.of(Finding.ok("toy: the box is complete"));
    }
}
