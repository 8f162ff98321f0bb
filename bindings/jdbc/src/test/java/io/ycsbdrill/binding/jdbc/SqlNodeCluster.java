package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import io.ycsbdrill.fault.node.ndb.NdbHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real NDB cluster with one SQL node, started for the first test class that wants it, shared by all, and ended with the last.
 * Tests are skipped where there is no NDB installation.
 */
final class SqlNodeCluster implements BeforeAllCallback, ParameterResolver {

    @Override
    public void beforeAll(ExtensionContext context) {
        Optional<NdbHome> home = NdbHome.find(null, System.getenv());
        boolean found = home.isPresent() && home.get().missing(true).isEmpty();
        String reason = "skipped: no NDB installation with mysqld found; set NDB_HOME or run bin/install-ndb";
        if (!found) {
            System.out.println(reason); // the build does not show the reason of an assumption
        }
        assumeTrue(found, reason);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Running.class;
    }

    @Override
    public Running resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Running.class, key -> new Running(), Running.class);
    }

    /** The cluster, the properties that reach it, and its SQL node's process. */
    static final class Running implements AutoCloseable {
        private final Path folder;
        private final Path home;
        private final LocalCluster cluster;

        private Running() {
            try {
                folder = Files.createTempDirectory("jdbc-it");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            home = folder.resolve("c");
            cluster = new NdbEngine().up(home, Map.of("data-memory", "128M"), Lifetime.OWNED, line -> {});
        }

        /** As {@code cluster up} writes them down. */
        Properties properties(String table) {
            Properties properties = new Properties();
            properties.putAll(cluster.descriptor().bindings().get("jdbc"));
            properties.setProperty("table", table);
            return properties;
        }

        /** Kills the SQL node's server. */
        String[] killServer() throws Exception {
            ProcessHandle server = ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile()).strip()))
                    .orElseThrow();
            String[] command = Files.readString(Path.of("/proc", Long.toString(server.pid()), "cmdline"))
                    .split("\0");
            assertThat(command).contains("--defaults-file=" + home.resolve("mysqld1.cnf"));
            server.destroyForcibly();
            server.onExit().get(30, TimeUnit.SECONDS);
            return command;
        }

        /** Starts it again with the command that {@link #killServer} returned. */
        void startServer(String... command) throws IOException {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("log/again.out").toFile())
                    .start();
            Files.writeString(pidFile(), process.pid() + "\n");
        }

        private Path pidFile() {
            return home.resolve("run/mysqld1.pid");
        }

        @Override
        public void close() throws IOException {
            cluster.down();
            Files.deleteIfExists(folder);
        }
    }
}
