package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.client.cluster.ClusterLock;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.rundir.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCommandTest {
    @TempDir
    private Path root;

    private World world;
    private final FakeEngine embedded = new FakeEngine("embedded");
    private final FakeEngine ndb = new FakeEngine("ndb");

    @BeforeEach
    void world() {
        world = new World(root).with(embedded, ndb).environment("XDG_CACHE_HOME", root.toString());
    }

    @Test
    void upStartsAClusterThatOutlivesTheCommandAndWritesItDown() {
        assertThat(world.execute("cluster", "up", "--data-nodes", "5")).isZero();

        assertThat(embedded.calls).containsExactly("up DETACHED {data-nodes=5}", "close");
        assertThat(world.clusters().find("embedded")).isPresent();
        assertThat(world.err()).contains("ycsb cluster down embedded");
    }

    @Test
    void switchIsTypedWithoutAValueAndHelpNamesAllItsEngines() {
        assertThat(world.execute("cluster", "up", "--proxy", "ndb")).isZero();
        assertThat(ndb.calls).containsExactly("up DETACHED {proxy=true}", "close");

        assertThat(world.execute("cluster", "up", "--help")).isZero();
        assertThat(world.out())
                .contains("embedded, ndb: put a proxy before them")
                .doesNotContain("default: false");
    }

    @Test
    void statusShowsProxiesAndTellsWhetherTheyRun() {
        embedded.upIn(world);
        embedded.proxies =
                List.of(new NodeStatus("haproxy", NodeStatus.State.STARTED, "on 127.0.0.1:1", OptionalLong.of(4712)));

        assertThat(world.execute("cluster", "status")).isZero();
        assertThat(world.out()).contains("haproxy    started   pid 4712  on 127.0.0.1:1");

        embedded.proxies =
                List.of(new NodeStatus("haproxy", NodeStatus.State.DOWN, "no process", OptionalLong.empty()));
        assertThat(world.execute("cluster", "status")).isEqualTo(1);
    }

    @Test
    void upRefusesASecondClusterOfTheSameEngine() {
        embedded.upIn(world);

        assertThat(world.execute("cluster", "up")).isEqualTo(2);
        assertThat(world.err()).contains("is up already, or was not taken down").contains("ycsb cluster down embedded");
        assertThat(embedded.calls).isEmpty();
    }

    @Test
    void anOptionOutOfRangeIsAUsageError() {
        assertThat(world.execute("cluster", "up", "--data-nodes=99")).isEqualTo(2);
        assertThat(world.err()).contains("cluster up embedded: data-nodes=99 is not from 1 to 9");
        assertThat(world.clusters().all()).isEmpty();
    }

    @Test
    void statusShowsEveryNodeAndTellsWhetherAllAreWell() {
        embedded.upIn(world);

        assertThat(world.execute("cluster", "status")).isZero();
        assertThat(world.out()).contains("embedded 1.2.3").contains("node1").contains("pid 4711 (primary)");

        embedded.nodeState = NodeStatus.State.STARTING;
        assertThat(world.execute("cluster", "status")).isEqualTo(1);
        assertThat(world.out()).contains("starting");
    }

    /** Whoever waits for an engine that hangs is to see which one it is. */
    @Test
    void statusSaysWhichClusterItAsksBeforeItAsks() {
        embedded.upIn(world);
        List<String> before = new ArrayList<>();
        embedded.asked = () -> before.add(world.out());

        assertThat(world.execute("cluster", "status")).isZero();

        assertThat(before)
                .first()
                .asString()
                .startsWith("embedded 1.2.3, up since ")
                .endsWith("\n");
        assertThat(world.out()).containsOnlyOnce("embedded 1.2.3");
    }

    @Test
    void statusAsJsonIsNothingElse() throws Exception {
        embedded.upIn(world);

        assertThat(world.execute("cluster", "status", "--json")).isZero();
        JsonNode json = Json.READER.readTree(world.out());
        assertThat(json.path("engine").asText()).isEqualTo("embedded");
        assertThat(json.path("healthy").asBoolean()).isTrue();
        assertThat(json.at("/nodes/0/state").asText()).isEqualTo("started");
        assertThat(json.at("/nodes/0/pid").asLong()).isEqualTo(4711);
        assertThat(json.at("/nodes/0/primary").asBoolean()).isTrue();
        assertThat(json.path("proxies")).isEmpty();

        embedded.attachable = false;
        world = new World(root).with(embedded);
        assertThat(world.execute("cluster", "status", "--json")).isEqualTo(1);
        json = Json.READER.readTree(world.out());
        assertThat(json.path("problem").asText()).contains("no process of it is left");
        assertThat(json.path("healthy").asBoolean()).isFalse();
    }

    @Test
    void statusWithoutAClusterFails() {
        assertThat(world.execute("cluster", "status")).isEqualTo(1);
        assertThat(world.err()).contains("no cluster is up; start one: ycsb cluster up");
    }

    @Test
    void statusOfADeadClusterSaysSo() {
        embedded.upIn(world).attachable = false;

        assertThat(world.execute("cluster", "status")).isEqualTo(1);
        assertThat(world.out()).contains("not usable: no process of it is left");
    }

    @Test
    void aClusterElsewhereThatDoesNotAnswerFails() {
        assertThat(world.execute("cluster", "status", "-p", "ndb.connectstring=127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(world.err()).contains("127.0.0.1:1");
        assertThat(world.execute("cluster", "stop", "1", "-p", "ndb.connectstring=127.0.0.1:1"))
                .isEqualTo(1);
    }

    @Test
    void aClusterElsewhereThatIsNamedWronglyIsAUsageError() {
        assertThat(world.execute("cluster", "status", "-p", "ndb.connectsrting=x"))
                .isEqualTo(2);
        assertThat(world.execute("cluster", "kill", "1", "--engine", "embedded", "-p", "ndb.connectstring=127.0.0.1:1"))
                .isEqualTo(2);
        assertThat(world.execute("cluster", "status", "-p", "ndb.connectstring=mgm1:x"))
                .isEqualTo(2);

        assertThat(world.err())
                .contains("-p ndb.connectsrting is not supported by this command")
                .contains("name different clusters");
    }

    @Test
    void downStopsTheOnlyClusterThereIs() {
        ndb.upIn(world);

        assertThat(world.execute("cluster", "down")).isZero();
        assertThat(ndb.calls).containsExactly("attach", "down");
        assertThat(world.clusters().all()).isEmpty();
    }

    @Test
    void downAsksWhichOfTwo() {
        ndb.upIn(world);
        embedded.upIn(world);

        assertThat(world.execute("cluster", "down")).isEqualTo(2);
        assertThat(world.err()).contains("say which, or all: embedded, ndb");
        assertThat(world.clusters().all()).hasSize(2);

        assertThat(world.execute("cluster", "down", "ndb")).isZero();
        assertThat(world.clusters().find("ndb")).isEmpty();
        assertThat(world.clusters().find("embedded")).isPresent();
    }

    /** With another inventory than the drill's its file on a full disk stayed, and nobody knew of it any more. */
    @Test
    void healClosesNoFaultThatNothingHasEnded() {
        List<String> closed = new ArrayList<>();
        embedded.upIn(world).journal = new HealJournal() {
            @Override
            public void opened(String node, String fault) {
                throw new AssertionError(fault);
            }

            @Override
            public void closed(String node, Set<String> faults) {
                closed.addAll(faults);
            }

            @Override
            public Map<String, List<String>> open(Consumer<String> problems) {
                return Map.of("node1", List.of("disk-full 2026-11-29T07:00:00Z ops@admin1"));
            }
        };

        assertThat(world.execute("cluster", "heal")).isEqualTo(1);

        assertThat(closed).containsExactlyInAnyOrder("kill", "stop", "pause");
        assertThat(world.err())
                .contains("error: every node is up, but", "on the host of node1: disk-full 2026-11-29T07:00:00Z")
                .doesNotContain("every node has recovered");
    }

    @Test
    void downOfNothingIsNoError() {
        assertThat(world.execute("cluster", "down")).isZero();
        assertThat(world.err()).contains("nothing to do");
    }

    @Test
    void downForgetsADeadClusterAndRemovesItsFiles() {
        embedded.upIn(world).attachable = false;

        assertThat(world.execute("cluster", "down")).isZero();
        assertThat(world.clusters().all()).isEmpty();
        assertThat(embedded.calls).containsExactly("remove leftovers of embedded");
        assertThat(world.err()).contains("what was left of the embedded cluster is ended");
    }

    @Test
    void downEndsAStartThatWasCutOff() throws Exception {
        Directories.claim(world.clusters().directory("ndb"), "ndb");

        assertThat(world.execute("cluster", "up", "ndb")).isEqualTo(2);
        assertThat(world.err()).contains("left over from an interrupted start").contains("ycsb cluster down ndb");
        assertThat(world.execute("cluster", "down")).isZero();

        assertThat(ndb.calls).containsExactly("remove leftovers of cluster");
        assertThat(embedded.calls).isEmpty();
        assertThat(world.err()).contains("removed the remains of an interrupted start of ndb");
    }

    @Test
    void aClusterThatIsBeingStartedIsNotTakenDown() throws Exception {
        Directories.claim(world.clusters().directory("ndb"), "ndb");
        ProcessLock start = ClusterLock.take(world.clusters().directory("ndb"));
        try {
            assertThat(world.execute("cluster", "down")).isEqualTo(2);
            assertThat(world.execute("cluster", "down", "ndb")).isEqualTo(2);
            assertThat(world.execute("cluster", "up", "ndb")).isEqualTo(2);
            assertThat(world.execute("cluster", "down", "embedded")).isZero();
        } finally {
            start.close();
        }

        assertThat(ndb.calls).isEmpty();
        assertThat(world.err())
                .contains("process " + ProcessHandle.current().pid() + " is at work on the nodes of the cluster in "
                        + world.clusters().directory("ndb"))
                .doesNotContain("left over from an interrupted start");
        assertThat(world.execute("cluster", "down", "ndb")).isZero();
        assertThat(ndb.calls).containsExactly("remove leftovers of cluster");
    }

    @Test
    void downOfAllStopsThemAlsoWhenOneIsAtWork() throws Exception {
        embedded.upIn(world);
        ndb.upIn(world);
        ProcessLock drill =
                ClusterLock.take(world.clusters().find("embedded").orElseThrow().directory());
        ProcessLock directory =
                ClusterLock.take(Files.createDirectories(world.clusters().directory("embedded")));
        try {
            assertThat(world.execute("cluster", "down", "all")).isEqualTo(1);
        } finally {
            drill.close();
            directory.close();
        }

        assertThat(ndb.calls).containsExactly("attach", "down");
        assertThat(embedded.calls).isEmpty();
        assertThat(world.clusters().find("ndb")).isEmpty();
        assertThat(world.clusters().find("embedded")).isPresent();
        assertThat(world.err())
                .contains("error: process " + ProcessHandle.current().pid() + " is at work", "ndb is down");
    }

    @Test
    void downOfOneEngineLeavesTheStartOfAnotherAlone() throws Exception {
        Files.createDirectories(world.clusters().directory("ndb"));

        assertThat(world.execute("cluster", "down", "embedded")).isZero();

        assertThat(world.err()).contains("nothing to do");
        assertThat(ndb.calls).isEmpty();
    }

    @Test
    void doctorAsJsonIsNothingElse() throws Exception {
        embedded.upIn(world);

        assertThat(world.execute("doctor", "--json")).isZero();

        JsonNode json = Json.READER.readTree(world.out());
        assertThat(json.path("bad").asBoolean()).isFalse();
        assertThat(json.path("findings").findValuesAsText("verdict"))
                .contains("ok")
                .doesNotContain("");
        assertThat(json.path("findings").findValuesAsText("text"))
                .anyMatch(text -> text.contains("embedded cluster in"));
    }

    @Test
    void doctorSaysWhatItFound() {
        embedded.upIn(world);

        assertThat(world.execute("doctor")).isZero();
        assertThat(world.out())
                .contains("ycsb-drill")
                .contains("cpu")
                .contains("MiB of memory")
                .contains(world.clusters().home("x").getParent().toString())
                .contains("ok    ports 20000 to 31999: at least 100 are free")
                .contains("ok    temporary directory " + System.getProperty("java.io.tmpdir"))
                .containsPattern("(ok  |note)  up to \\d+ open files")
                .contains("2 of 2 nodes started")
                .containsPattern("no NDB installation found \\(NDB_HOME is not set\\)|NDB installation: /usr");
    }

    @Test
    void doctorAsksTheServersOfRestThatAreNamed() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{\"ok\":true,\"version\":{\"number\":\"6.4.3\"}}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(world.execute("doctor", "-p", "rest.dialect=cratedb", "-p", "rest.endpoints=" + url))
                    .isZero();
            assertThat(world.out()).contains("ok    rest, dialect cratedb: " + url + " responds, version 6.4.3");
        } finally {
            server.stop(0);
        }
        assertThat(world.execute("doctor", "-p", "rest.endpoints=http://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(world.out()).contains("bad   rest, dialect ignite: http://127.0.0.1:1 is not serving: ");
        assertThat(world.execute("doctor", "-p", "rest.endpoints=127.0.0.1")).isEqualTo(1);
        assertThat(world.out()).contains("bad   rest: ", "rest.endpoints=127.0.0.1");
    }

    @Test
    void doctorTriesTheServersThatAreNamed() throws Exception {
        try (ServerSocket open = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String server = "127.0.0.1:" + open.getLocalPort();

            assertThat(world.execute("doctor", "-p", "db.url=jdbc:mysql://" + server + "/ycsb"))
                    .isZero();
            assertThat(world.out())
                    .contains("ok    jdbc: the server accepts connections at " + server + " from this machine");
        }
        assertThat(world.execute(
                        "doctor", "-p", "db.url=jdbc:mysql://db1/ycsb", "-p", "db.hosts=127.0.0.1:1,db2.invalid:3306"))
                .isEqualTo(1);
        assertThat(world.out())
                .contains("bad   jdbc: the server accepts no connection at 127.0.0.1:1: Connection refused; start it, ")
                .contains("accepts no connection at db2.invalid:3306: unknown host; ");
        assertThat(world.execute("doctor", "-p", "db.url=jdbc:h2:mem:x")).isZero();
        assertThat(world.out()).contains("note  db.url: the servers cannot be told from jdbc:h2:mem:x");
    }

    @Test
    void doctorSaysWhatAnNdbInstallationLacksAndWhatToDo() throws Exception {
        Path home = root.resolve("ndb-9");
        Path mgmd = home.resolve("bin/ndb_mgmd");
        Files.createDirectories(mgmd.getParent());
        Files.writeString(mgmd, "#!/bin/sh\necho mysql-9.7.2 ndb-9.7.2\n");
        assertThat(mgmd.toFile().setExecutable(true)).isTrue();
        world.environment("NDB_HOME", home.toString());

        assertThat(world.execute("doctor")).isZero();

        assertThat(world.out())
                .contains("note  NDB installation: " + home + " (NDB_HOME)")
                .contains("management server: " + mgmd + ", mysql-9.7.2 ndb-9.7.2")
                .contains("data node: missing")
                .contains("next: it lacks ndbmtd, mysqld, libndbclient, ClusterJ");
    }

    @Test
    void doctorSaysWhatAGaleraInstallationLacksAndWhatToDo() throws Exception {
        Path home = root.resolve("galera-10");
        Path server = home.resolve("usr/sbin/mariadbd");
        Files.createDirectories(server.getParent());
        Files.writeString(server, "#!/bin/sh\necho mariadbd Ver 10.11.19\n");
        assertThat(server.toFile().setExecutable(true)).isTrue();
        world.environment("GALERA_HOME", home.toString());

        assertThat(world.execute("doctor")).isZero();

        assertThat(world.out())
                .contains("note  Galera installation: " + home + " (GALERA_HOME)")
                .contains("next: it lacks mariadb-install-db,")
                .contains("libgalera_smm.so; set GALERA_HOME");
    }

    @Test
    void doctorSaysWhichHaproxyThereIsAndWhetherItRuns() throws Exception {
        Path program = root.resolve("usr/sbin/haproxy");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\necho HAProxy version 2.6.12\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        world.environment("HAPROXY_HOME", root.toString());
        assertThat(world.execute("doctor")).isZero();
        assertThat(world.out()).contains("ok    HAProxy: " + program + " (HAPROXY_HOME), HAProxy version 2.6.12");

        Files.writeString(program, "#!/bin/sh\necho liblua5.3.so.0 is missing; exit 127\n");
        assertThat(world.execute("doctor")).isZero();
        assertThat(world.out())
                .contains("does not run: haproxy -v ended with exit code 127: liblua5.3.so.0 is missing");

        world.environment("HAPROXY_HOME", root.resolve("none").toString());
        assertThat(world.execute("doctor")).isZero();
        assertThat(world.out()).contains("none is neither the program haproxy nor a folder with it");
    }

    @Test
    void doctorFailsWhenNdbHomeHoldsNothing() throws Exception {
        world.environment(
                "NDB_HOME", Files.createDirectories(root.resolve("empty")).toString());

        assertThat(world.execute("doctor")).isEqualTo(1);

        assertThat(world.out()).contains("bad   NDB_HOME=").contains("holds neither a server nor a client");
    }

    @Test
    void doctorFailsWhenSomethingStandsInTheWay() {
        world.withOnly(ndb).environment("NDB_HOME", root.resolve("nothing").toString());

        assertThat(world.execute("doctor")).isEqualTo(1);
        assertThat(world.out())
                .contains("bad   this build has no engine that runs without an installation")
                .contains("is not a directory");
    }
}
