package io.ycsbdrill.testing.junit;

import io.ycsbdrill.testing.DrillCluster;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster in JUnit's store, which closes it at the end of the store's context. Started when it is needed; what went wrong then
 * is reported to everyone who asks, without another attempt. Thread-safe.
 */
@SuppressWarnings("deprecation") // AutoCloseable does it from JUnit 5.13 on only
final class Lease implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private final Supplier<DrillCluster> start;
    private DrillCluster cluster;
    private RuntimeException failure;

    Lease(Supplier<DrillCluster> start) {
        this.start = start;
    }

    synchronized DrillCluster cluster() {
        if (failure != null) {
            throw new IllegalStateException("the cluster did not start: " + failure.getMessage(), failure);
        }
        if (cluster == null) {
            try {
                cluster = start.get();
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
        }
        return cluster;
    }

    /** @return where they are; empty when the cluster was never asked for */
    synchronized Optional<Path> keepRuns() {
        Optional<DrillCluster> started = Optional.ofNullable(cluster);
        started.ifPresent(DrillCluster::keepRuns);
        return started.map(DrillCluster::directory);
    }

    @Override
    public synchronized void close() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
