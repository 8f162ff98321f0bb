package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A real NDB cluster with one SQL node. Tests are skipped where there is no NDB installation.
 */
final class SqlNodeCluster extends SharedServer<SqlNodeCluster.Running> {

    SqlNodeCluster() {
        super(Running.class, SqlNodeCluster::lack, Running::new);
    }

    private static Optional<String> lack() {
        Optional<NdbHome> home = NdbHome.find(null, System.getenv());
        return home.isPresent() && home.get().missing(true).isEmpty()
                ? Optional.empty()
                : Optional.of("no NDB installation with mysqld found; set NDB_HOME or run bin/install-ndb");
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
                            Long.parseLong(Files.readString(pidFile()).strip().split(" ")[0]))
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
            List<String> line = new ArrayList<>(List.of("setsid"));
            line.addAll(List.of(command));
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("log/again.out").toFile())
                    .start();
            // As the cluster records it, which ends it.
            String programs = Files.readString(pidFile()).strip().split(" ")[2];
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            String startTicks = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
            Files.writeString(pidFile(), process.pid() + " " + startTicks + " " + programs + "\n");
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
