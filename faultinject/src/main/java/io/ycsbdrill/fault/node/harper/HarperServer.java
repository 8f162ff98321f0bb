package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The command and the environment of a local cluster's server. It is one process, whose threads serve.
 *
 * @param settings what it was started with first
 */
record HarperServer(HarperSettings settings, HarperFiles files) {
    static final String USER = "ycsb";
    private static final String HOST = "127.0.0.1:";

    /** One without data creates its database, its user and its tables; they are described here. */
    List<String> command() throws IOException {
        if (isNew()) {
            Files.createDirectories(files.home());
            Files.createDirectories(files.component());
            Files.writeString(files.component().resolve("config.yaml"), """
                    rest: true
                    graphqlSchema:
                      files: 'schema.graphql'
                    """);
            Files.writeString(files.component().resolve("schema.graphql"), schema(settings.tables(), settings.ttl()));
        }
        return List.of(
                settings.node().toString(),
                settings.home().server().toString(),
                "--ROOTPATH",
                files.root().toString());
    }

    private boolean isNew() {
        return Files.notExists(files.root().resolve("harperdb-config.yaml"));
    }

    /** However the installation calls Node.js: {@code node}, {@code nodejs}, {@code node-20}. */
    List<String> programs() {
        Path node = settings.node();
        return NodeIo.get("cannot start Harper", () -> Stream.of(
                        "node",
                        "nodejs",
                        node.getFileName().toString(),
                        node.toRealPath().getFileName().toString())
                .distinct()
                .toList());
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
    void setEnvironment(Map<String, String> environment) {
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
        if (isNew()) {
            environment.put("HDB_ADMIN_USERNAME", USER);
            environment.put("HDB_ADMIN_PASSWORD", password());
        }
    }

    private String password() {
        return NodeIo.get("cannot start Harper", () -> Files.readString(files.password()));
    }
}
