package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.host.Containers;
import io.ycsbdrill.fault.node.galera.GaleraHome;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Galera cluster that nobody of ours has started, in three containers with networks and volumes of their own, and a client in a fourth.
 * Nothing but an inventory knows them.
 */
@Tag("engine")
@Timeout(420)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ContainerDrills {
    private static final List<String> NODES = List.of("node1", "node2", "node3");
    private static final String DATA = "/var/lib/mysql";

    /** Becomes the server: process 1 of its container. */
    private static final String START = """
            [ ! -f /drill/first ] || [ "$1" != node1 ] || first=--wsrep-new-cluster
            # Where its data ends: without this nobody would have the data after the loss of all.
            [ ! -f /var/lib/mysql/grastate.dat ] || at=$(mariadbd --defaults-file=/drill/$1.cnf --log-error=/tmp/recover --wsrep-recover &&
                sed -n 's/.*WSREP: Recovered position:* *//p' /tmp/recover | tail -n 1)
            exec mariadbd --defaults-file=/drill/$1.cnf $first ${at:+--wsrep-start-position=$at}
            """;

    private final Containers.Kind kind;

    private Path folder;
    private Containers containers;
    private GaleraHome home;

    ContainerDrills(Containers.Kind kind) {
        this.kind = kind;
    }

    private static String address(String node) {
        return "10.98.0." + (NODES.indexOf(node) + 1);
    }

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        folder = directory;
        home = TestedGalera.home();
        containers = Containers.start(kind, folder.resolve("engine"));
        Path drill = Files.createDirectories(folder.resolve("drill"));
        Files.writeString(drill.resolve("start.sh"), START);
        Files.writeString(drill.resolve("first"), "");
        Files.writeString(folder.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=500
                operationcount=500
                readproportion=0.5
                updateproportion=0.5
                """);
        Files.writeString(folder.resolve("inventory.yaml"), inventory());
        containers.container(
                "new",
                options("node1", List.of()),
                List.of(
                        "mariadb-install-db",
                        "--no-defaults",
                        "--basedir=" + TestedGalera.usr(home),
                        "--datadir=" + DATA,
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db"));
        assertThat(containers.engine("wait", "new"))
                .as(containers.engine("logs", "new"))
                .isEqualTo("0");
        containers.engine("rm", "new");
        for (String node : NODES) {
            Files.writeString(drill.resolve(node + ".cnf"), settings(node));
            // By their own policy the servers come back when they end by themselves, and not when a drill has ended
            // them.
            containers.container(
                    node,
                    options(node, List.of("--restart", "always", "--ip", address(node))),
                    List.of("sh", "/drill/start.sh", node));
            awaitSynced(node);
        }
        Files.delete(drill.resolve("first"));
        sql("node1", "CREATE DATABASE ycsb; CREATE USER ycsb@'%'; GRANT ALL ON ycsb.* TO ycsb@'%'");
        containers.container(
                "load1",
                Stream.of(
                                containers.programs(Path.of(System.getProperty("java.home"))),
                                List.of("--network", "drill", "--ip", "10.98.0.4"))
                        .flatMap(List::stream)
                        .toList(),
                List.of("sleep", "4h"));
    }

    private List<String> options(String node, List<String> more) {
        List<String> options = new ArrayList<>(containers.programs(home.root()));
        options.addAll(List.of("-v", "data-" + node + ":" + DATA, "-v", folder.resolve("drill") + ":/drill:ro"));
        options.addAll(List.of("--user", "mysql", "--network", "drill"));
        Map<String, String> variables = TestedGalera.environment(home, Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"));
        variables.forEach((name, value) -> options.addAll(List.of("-e", name + "=" + value)));
        options.addAll(more);
        return options;
    }

    private String settings(String node) {
        return """
                [mariadbd]
                datadir=%1$s
                socket=/run/mysqld/s.sock
                pid-file=/run/mysqld/mysqld.pid
                log-error=%1$s/error.log
                bind-address=0.0.0.0
                skip-name-resolve
                performance_schema=OFF
                default_storage_engine=InnoDB
                innodb_buffer_pool_size=32M
                innodb_autoinc_lock_mode=2
                binlog_format=ROW
                wsrep_on=ON
                wsrep_provider_options="evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S;evs.install_timeout=PT6S;gcache.size=64M;pc.wait_prim_timeout=PT10M"
                wsrep_cluster_address=gcomm://10.98.0.1,10.98.0.2,10.98.0.3
                wsrep_node_name=%2$s
                wsrep_node_address=%3$s
                wsrep_sst_method=rsync
                basedir=%4$s
                plugin-dir=%4$s/lib/mysql/plugin
                lc-messages-dir=%4$s/share/mysql
                character-sets-dir=%4$s/share/mysql/charsets
                wsrep_provider=%5$s
                """.formatted(
                        DATA,
                        node,
                        address(node),
                        TestedGalera.usr(home),
                        home.provider().orElseThrow());
    }

    private String inventory() {
        StringBuilder text = new StringBuilder("""
                engine: galera
                properties:
                  galera.client: mariadb --no-defaults --user=root --socket=/run/mysqld/s.sock
                  db.url: jdbc:mariadb://10.98.0.1:3306/ycsb
                  db.hosts: 10.98.0.1:3306,10.98.0.2:3306,10.98.0.3:3306
                  db.user: ycsb
                defaults: {transport: %s}
                journal: %s/heal
                clients: [{id: load1, host: load1, directory: /root/drill, java: %s/bin/java, addresses: [10.98.0.4]}]
                data_nodes:
                """.formatted(kind.program(), folder, System.getProperty("java.home")));
        NODES.forEach(
                node -> text.append("  - {id: %1$s, host: %1$s, addresses: [%2$s]}\n".formatted(node, address(node))));
        return text.toString();
    }

    private String sql(String node, String text) throws Exception {
        return containers.engine(
                "exec",
                node,
                "mariadb",
                "--no-defaults",
                "--user=root",
                "--socket=/run/mysqld/s.sock",
                "-N",
                "-e",
                text);
    }

    private void awaitSynced(String node) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            try {
                if (sql(node, "SHOW STATUS LIKE 'wsrep_local_state_comment'").contains("Synced")) {
                    return;
                }
            } catch (AssertionError e) {
                // not yet
            }
            assertThat(System.nanoTime()).as(log(node)).isLessThan(end);
            Thread.sleep(300);
        }
    }

    private String log(String node) throws Exception {
        return node + " is not synced: " + containers.engine("logs", node)
                + containers.engine("exec", node, "tail", "-n", "30", DATA + "/error.log");
    }

    @AfterAll
    void down() throws Exception {
        if (containers != null) {
            containers.close();
        }
    }

    private Child ycsb(String machine, String... arguments) throws IOException {
        Path directory = Files.createDirectories(folder.resolve(machine));
        Map<String, String> environment = new HashMap<>(containers.environment());
        environment.put("YCSB_DRILL_STATE", directory.resolve("state").toString());
        List<String> command = containers.into();
        command.addAll(Child.ycsb(arguments));
        return new Child(directory, environment, command);
    }

    private Child drill(String out, String steps, String... more) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("admin")).resolve(out + ".yaml"), """
                name: containers
                load: 100/s
                steady: off
                cooldown: 4s
                recovery_timeout: 3m
                limits: {service_restored: any}
                steps:
                """ + steps);
        List<String> words = new ArrayList<>(
                List.of("drill", "jdbc", "-P", folder.resolve("w").toString(), "-D"));
        words.addAll(List.of(out + ".yaml", "-threads", "3", "--on", inventoryFile(), "--out", out));
        words.addAll(List.of(more));
        return ycsb("admin", words.toArray(String[]::new));
    }

    private String inventoryFile() {
        return folder.resolve("inventory.yaml").toString();
    }

    private static void assertPassed(Child drill) throws InterruptedException {
        assertThat(drill.exitCode()).as(drill.err() + drill.out()).isZero();
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(folder.resolve("admin").resolve(file).toFile());
    }

    private void assertNothingIsOpen() throws IOException {
        if (Files.exists(folder.resolve("heal"))) {
            try (Stream<Path> open = Files.list(folder.resolve("heal"))) {
                assertThat(open).isEmpty();
            }
        }
    }

    @Test
    @Order(1)
    void theDoctorProvesEachContainer() throws Exception {
        try (Child doctor = ycsb("admin", "doctor", "--inventory", inventoryFile())) {
            assertPassed(doctor);

            for (String node : NODES) {
                assertThat(doctor.out())
                        .contains("data node " + node + " on " + node + " (" + kind.program()
                                + "): process 1 of its container");
            }
            assertThat(doctor.out()).contains("its links can be cut", "client load1 on load1");
        }
    }

    /** With a client in a container of its own, whose part is merged. */
    @Test
    @Order(2)
    void aNodeIsKilledAndInitialised() throws Exception {
        try (Child drill = drill("drill", """
                  - {step: initialise, fault: initialise, mode: kill, node: node3, at: 4s}
                """, "--clients", "2")) {
            assertPassed(drill);
        }

        Path out = folder.resolve("admin/drill");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(Files.readAllLines(out.resolve("phases.csv")))
                .anyMatch(row -> row.contains("synchronise") && row.contains("initialise"));
        assertThat(json("drill/run.json").path("state").asText()).isEqualTo("complete");
        assertThat(json("drill/run.json").path("clients")).hasSize(2);
        assertThat(json("drill/client-2/summary.json").at("/operations/READ/ok").asLong())
                .isPositive();
        assertNothingIsOpen();
    }

    @Test
    @Order(3)
    void anotherCommandHealsWhatAKilledToolHasLeft() throws Exception {
        try (Child drill = drill("left", """
                  - {step: isolate, fault: isolate, node: node2, from: all, duration: 30m, at: 1s}
                """, "--clients", "1")) {
            drill.await(() -> has("left/markers.jsonl", "\"fault-effective\""));
            drill.signal("KILL");
            drill.exitCode();
        }
        assertThat(containers.tables("node2")).contains("ycsb_drill_node2");

        heal("node2: cut 20");

        assertThat(containers.tables("node2")).doesNotContain("ycsb_drill");
    }

    private boolean has(String file, String text) {
        try {
            Path path = folder.resolve("admin").resolve(file);
            return Files.exists(path) && Files.readString(path).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    private void heal(String recorded) throws Exception {
        try (Child heal = ycsb("other", "cluster", "heal", "--inventory", inventoryFile())) {
            assertPassed(heal);
            assertThat(heal.err()).contains("recorded on the host of " + recorded, "every node has recovered");
        }
        assertNothingIsOpen();
    }

    @Test
    @Order(4)
    @Tag("soak")
    void aServerThatEndsByItselfComesBackByItsPolicyAndOneThatIsKilledDoesNot() throws Exception {
        try (Child drill = drill("policy", """
                  - step: own
                    fault: run
                    node: node2
                    shell: true
                    command: kill -9 $(%s inspect -f '{{.State.Pid}}' $NODE)
                    at: 4s
                  - {step: killed, fault: kill, node: node3, after: own, delay: 3s}
                  - {step: up, fault: start, node: same-as:killed, after: killed, delay: 5s}
                """.formatted(kind.program()), "--clients", "1", "--audit")) {
            assertPassed(drill);
        }

        Path out = folder.resolve("admin/policy");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(json("policy/audit.json").path("ackedLost").asInt(-1)).isZero();
        assertThat(containers.engine("inspect", "-f", "{{.RestartCount}}", "node2"))
                .isEqualTo("1");
        assertThat(Files.readAllLines(out.resolve("phases.csv")))
                .anyMatch(row -> row.startsWith("own,1,run,node2,synchronise,"));
        List<String> ofNode3 = Markers.of(out).stream()
                .filter(marker -> marker.path("node").asText().equals("node3"))
                .map(marker -> marker.path("label").asText() + " "
                        + marker.path("kind").asText() + " "
                        + marker.path("step").asText())
                .filter(text -> text.startsWith("node-down event")
                        || text.startsWith("process-started event")
                        || text.endsWith("fault-started up"))
                .map(text -> text.split(" ")[1].equals("event") ? text.split(" ")[0] : "start")
                .distinct()
                .toList();
        assertThat(ofNode3).containsExactly("node-down", "start", "process-started");
    }

    /** The rows of the matrix in containers; {@code -Dmatrix.page=FILE} keeps them, {@code -Dmatrix.faults} has only some of them made. */
    @Test
    @Order(5)
    @Tag("soak")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void eachFaultIsEffectiveAndRecoveredFrom() throws Exception {
        new Matrix(containers, folder).assertRows("galera-" + kind.program());
    }
}
