package io.ycsbdrill.fault.node.patroni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/**
 * The files of a node. Stateless.
 */
final class PatroniConfig {
    /** The cluster's name in etcd. */
    static final String SCOPE = "drill";

    private static final String AUTHENTICATION = "authentication";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Where a node listens.
     *
     * @param address of all its ports
     * @param rest Patroni's own
     * @param sql PostgreSQL's
     */
    record Place(String address, int rest, int sql) {}

    /**
     * Patroni's file, as JSON, which is YAML. The replication of a local cluster would otherwise be up to five seconds late after each
     * failover, and wait for a slow checkpoint before each copy.
     *
     * @param etcd address and port
     * @param trusted network whose clients need no password, such as 127.0.0.0/8
     * @param password of the servers among themselves, and of Patroni's own interface
     */
    static String patroni(
            PatroniFiles files,
            PatroniOptions options,
            String node,
            Place place,
            String etcd,
            String trusted,
            String password) {
        ObjectNode file = JSON.createObjectNode().put("scope", SCOPE).put("name", node);
        ObjectNode rest = file.putObject("restapi");
        listen(rest, place.address() + ":" + place.rest());
        rest.putObject(AUTHENTICATION).put("username", "drill").put("password", password); // of what changes something
        file.putObject("etcd3").put("host", etcd);
        // By default it opens /dev/watchdog where it may, which restarts the machine when a drill kills or pauses it.
        file.putObject("watchdog").put("mode", "off");

        ObjectNode bootstrap = file.putObject("bootstrap");
        ObjectNode dcs = bootstrap
                .putObject("dcs")
                .put("ttl", options.ttl())
                .put("loop_wait", options.loopWait())
                .put("retry_timeout", options.retryTimeout())
                .put("maximum_lag_on_failover", options.maximumLag() * 1_048_576L)
                .put("synchronous_mode", options.synchronous())
                .put("failsafe_mode", options.failsafe());
        dcs.putObject("postgresql")
                .put("use_pg_rewind", true)
                .putObject("parameters")
                .put("max_connections", 200)
                .put("shared_buffers", "64MB")
                .put("wal_keep_size", "256MB")
                .put("wal_retrieve_retry_interval", "500ms")
                .put("jit", "off")
                .put("log_timezone", "UTC")
                .put("log_line_prefix", PatroniLogReader.PREFIX);
        ArrayNode initdb = bootstrap.putArray("initdb");
        initdb.addObject().put("encoding", "UTF8");
        initdb.addObject().put("locale", "C");
        initdb.add("data-checksums");
        ArrayNode access = bootstrap.putArray("pg_hba");
        List.of(
                        "local all all trust", // the socket is in a folder of the server's user
                        "host replication replicator " + trusted + " scram-sha-256",
                        "host all rewinder " + trusted + " scram-sha-256",
                        "host ycsb ycsb " + trusted + " trust")
                .forEach(access::add);

        ObjectNode server = file.putObject("postgresql");
        listen(server, place.address() + ":" + place.sql());
        server.put("data_dir", files.data(node).toString())
                .put("bin_dir", files.programs(node).toString())
                .put("pgpass", files.home(node).resolve("pgpass").toString())
                .put("use_unix_socket", true);
        server.putArray("basebackup").addObject().put("checkpoint", "fast");
        ObjectNode users = server.putObject(AUTHENTICATION);
        user(users, "superuser", "postgres", password);
        user(users, "replication", "replicator", password);
        user(users, "rewind", "rewinder", password);
        server.putObject("parameters")
                .put("unix_socket_directories", files.home(node).toString());
        return file.toPrettyString() + "\n";
    }

    /**
     * The header, name and value, by which a request that changes something is accepted.
     *
     * @param patroni file of the node
     * @throws IOException when it cannot be read
     */
    static String[] authorization(Path patroni) throws IOException {
        JsonNode known =
                JSON.readTree(Files.readString(patroni)).path("restapi").path(AUTHENTICATION);
        String pair =
                known.path("username").asText() + ":" + known.path("password").asText();
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
        };
    }

    /**
     * A number of the settings with which the cluster was begun.
     *
     * @param patroni file of a node
     * @throws IOException when it cannot be read
     */
    static int dcs(Path patroni, String setting) throws IOException {
        return JSON.readTree(Files.readString(patroni))
                .at("/bootstrap/dcs/" + setting)
                .asInt();
    }

    /** How a copy of a node's data is asked for. */
    record Replication(String host, String port, String user, String password) {}

    /**
     * That of the node.
     *
     * @param patroni its file
     * @throws IOException when it cannot be read
     */
    static Replication replication(Path patroni) throws IOException {
        JsonNode server = JSON.readTree(Files.readString(patroni)).path("postgresql");
        String place = server.path("listen").asText();
        JsonNode user = server.path(AUTHENTICATION).path("replication");
        int colon = place.lastIndexOf(':');
        return new Replication(
                place.substring(0, colon),
                place.substring(colon + 1),
                user.path("username").asText(),
                user.path("password").asText());
    }

    private static void listen(ObjectNode to, String address) {
        to.put("listen", address).put("connect_address", address);
    }

    private static void user(ObjectNode users, String role, String name, String password) {
        users.putObject(role).put("username", name).put("password", password);
    }

    /**
     * The command of etcd.
     *
     * @param place address, port for clients and port for members, with colons between
     */
    static List<String> etcd(PatroniHome home, PatroniFiles files, String place) {
        String[] parts = place.split(":");
        String clients = "http://" + parts[0] + ":" + parts[1];
        String members = "http://127.0.0.1:" + parts[2];
        return List.of(
                home.etcd().toString(),
                "--name=" + PatroniFiles.ETCD,
                "--data-dir=" + files.data(PatroniFiles.ETCD),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + members,
                "--initial-advertise-peer-urls=" + members,
                "--initial-cluster=" + PatroniFiles.ETCD + "=" + members,
                "--logger=zap",
                "--log-level=warn");
    }

    /**
     * Stands in for the server's program: Patroni starts PostgreSQL in a session of its own, which outlives Patroni, so the
     * server writes down itself which process it is before it becomes the server. Crash recovery (--single) and questions
     * to the program (-C) end by themselves.
     */
    static String server(Path program, Path written) {
        return Formatted.of("""
                #!/bin/sh
                if [ "$1" = -D ] && [ "$3" != -C ]; then
                  read -r line <"/proc/$$/stat"
                  start=$(set -f; set -- ${line##*) }; echo "${20}")
                  echo "$$ $start postgres" >"%2$s.new" && mv "%2$s.new" "%2$s" || exit 1
                fi
                exec "%1$s" "$@"
                """, program, written);
    }
}
