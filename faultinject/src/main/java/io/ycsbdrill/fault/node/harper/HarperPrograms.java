package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts the server of a local cluster and finds its process again by its pid file. It is one process, whose threads serve.
 * Thread-safe as far as callers keep to one operation at a time.
 */
final class HarperPrograms {
    static final String USER = "ycsb";
    private static final String HOST = "127.0.0.1:";

    private final HarperSettings settings;
    private final HarperFiles files;

    HarperPrograms(HarperSettings settings, HarperFiles files) {
        this.settings = settings;
        this.files = files;
    }

    /** Starts the server and returns its process; one without data creates its database, its user and its tables. */
    Process start() {
        try {
            boolean empty = Files.notExists(files.root().resolve("harperdb-config.yaml"));
            if (empty) {
                Files.createDirectories(files.home());
                Files.createDirectories(files.component());
                Files.writeString(files.component().resolve("config.yaml"), """
                        rest: true
                        graphqlSchema:
                          files: 'schema.graphql'
                        """);
                Files.writeString(
                        files.component().resolve("schema.graphql"), schema(settings.tables(), settings.ttl()));
            }
            String password = empty ? Files.readString(files.password()) : "";
            List<String> command = List.of(
                    settings.node().toString(),
                    settings.home().server().toString(),
                    "--ROOTPATH",
                    files.root().toString());
            return Launcher.start(
                    command,
                    files.directory(),
                    files.output(),
                    files.pid(),
                    programs(settings.node()),
                    environment -> setEnvironment(environment, password));
        } catch (IOException e) {
            throw new NodeControlException("cannot start Harper: " + e.getMessage(), e);
        }
    }

    /** However the installation calls Node.js: {@code node}, {@code nodejs}, {@code node-20}. */
    private static List<String> programs(Path node) throws IOException {
        return Stream.of(
                        "node",
                        "nodejs",
                        node.getFileName().toString(),
                        node.toRealPath().getFileName().toString())
                .distinct()
                .toList();
    }

    static String schema(List<String> tables, Duration ttl) {
        StringBuilder schema = new StringBuilder();
        String expiration = ttl.isZero() ? "" : ", expiration: " + ttl.toSeconds();
        tables.forEach(name -> schema.append("type ")
                .append(name)
                .append(" @table(database: \"ycsb\"")
                .append(expiration)
                .append(") @export {\n  id: ID @primaryKey\n}\n"));
        return schema.toString();
    }

    /** Nothing is inherited but the PATH: Harper takes every setting from variables, too. */
    private void setEnvironment(Map<String, String> environment, String password) {
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        environment.clear();
        environment.put("PATH", path);
        environment.put("HOME", files.home().toString());
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("NODE_OPTIONS", "--require " + files.loopback());
        environment.put("YCSB_DRILL_HARPER", settings.home().server().toString());
        environment.put("DEFAULTS_MODE", "prod");
        environment.put("NODE_HOSTNAME", "127.0.0.1");
        environment.put("HTTP_PORT", HOST + settings.restPort());
        environment.put("HTTP_SECUREPORT", "null");
        environment.put("OPERATIONSAPI_NETWORK_PORT", HOST + settings.operationsPort());
        environment.put("OPERATIONSAPI_NETWORK_SECUREPORT", "null");
        environment.put("MQTT_NETWORK_PORT", HOST + settings.mqttPort());
        environment.put("MQTT_NETWORK_SECUREPORT", HOST + settings.mqttSecurePort());
        environment.put("THREADS_COUNT", Integer.toString(settings.threads()));
        environment.put("LOCALSTUDIO_ENABLED", "false");
        environment.put("LOGGING_LEVEL", "notify");
        if (!password.isEmpty()) {
            environment.put("HDB_ADMIN_USERNAME", USER);
            environment.put("HDB_ADMIN_PASSWORD", password);
        }
    }

    /** The server's process; empty when it is not running. */
    Optional<OsProcess> process() {
        return OsProcess.recorded(files.pid());
    }

    /** The last lines of the server's logs and their paths. */
    String lastWords() {
        return "last lines: " + LogTail.quoted(files.log(), 5) + "; it printed: " + LogTail.quoted(files.output(), 5);
    }
}
