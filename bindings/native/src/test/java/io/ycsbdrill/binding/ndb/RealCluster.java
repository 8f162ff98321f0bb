package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real cluster of three data nodes and one SQL node, started for the first test class that wants it, shared by all, and
 * ended with the last. Tests are skipped where there is no NDB installation.
 */
final class RealCluster implements BeforeAllCallback, ParameterResolver {

    @Override
    public void beforeAll(ExtensionContext context) {
        installation();
    }

    /** The installation to test with; skips the test when there is none, and fails when NDB_HOME holds none. */
    static NdbInstallation installation() {
        NdbHome home = TestedNdb.completeHome();
        try {
            return NdbInstallation.find(Optional.of(home.root()), System.getenv());
        } catch (NdbInstallation.NotFoundException e) {
            throw new AssertionError(
                    "the injector takes this for a complete installation, and the binding does not", e);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Running.class;
    }

    @Override
    public Running resolveParameter(ParameterContext parameter, ExtensionContext context) {
        NdbInstallation installation = installation();
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Running.class, key -> new Running(installation), Running.class);
    }

    /** The cluster, and the properties that reach it. */
    static final class Running implements AutoCloseable {
        private final Path folder;
        private final LocalCluster cluster;

        private Running(NdbInstallation installation) {
            try {
                folder = Files.createTempDirectory("ndb-it");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            cluster = new NdbEngine()
                    .up(
                            folder.resolve("c"),
                            Map.of(
                                    "data-memory",
                                    "200M",
                                    "ndb-home",
                                    installation.home().toString()),
                            Lifetime.OWNED,
                            line -> {});
        }

        LocalCluster cluster() {
            return cluster;
        }

        /** Through the SQL node, as {@code cluster up} writes them down. */
        Properties properties(String table) {
            Properties properties = new Properties();
            properties.putAll(cluster.descriptor().bindings().get("native"));
            properties.setProperty("table", table);
            return properties;
        }

        @Override
        public void close() throws IOException {
            cluster.down();
            Files.deleteIfExists(folder);
        }
    }
}
