package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.Teardown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The engine of a cluster whose copy of its file cannot be read: it can be taken down, and everything else says why it cannot be done. */
record UnreadableEngine(String name, String reason) implements LocalEngine {
    @Override
    public int order() {
        return DeclaredEngine.ORDER;
    }

    @Override
    public List<String> bindings() {
        return List.of(name);
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public void check(Map<String, String> options) {
        // nothing is given
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        throw new NodeControlException(reason);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        throw new NodeControlException(reason);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        return List.of(Finding.note(reason));
    }
}
