package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InventoryTest {

    @Test
    void hostsAloneAreEnough() {
        Inventory inventory = parse("""
                engine: ndb
                properties: {ndb.connectstring: "mgm1:1186"}
                defaults: {transport: ssh, user: mysql}
                data_nodes:
                  - {id: 1, host: db1.example.org}
                  - {id: 2, host: db2.example.org, user: ops, pid_file: "/data/ndb_{node}.pid", labels: {zone: b}}
                sql_nodes: [{id: sql1, host: db1.example.org}]
                management: [{id: mgm1, host: mgm1}]
                clients: [{id: load1, host: load1.example.org}]
                """);

        assertThat(inventory.nodes(Role.DATA)).extracting(HostedNode::id).containsExactly("1", "2");
        assertThat(inventory.timeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(inventory.node("2").orElseThrow().labels()).containsEntry("zone", "b");
        assertThat(inventory.clients().get(0).host().transport()).isEqualTo(Transport.SSH);
        assertThat(lines(inventory, NodeAction.KILL, "2"))
                .singleElement()
                .asString()
                .contains("-l ops -- db2.example.org", "kill /data/ndb_2.pid", "ndbmtd|ndbd");
        assertThat(lines(inventory, NodeAction.START, "1"))
                .singleElement()
                .asString()
                .contains("-l mysql -- db1.example.org", "start ndbmtd --ndb-nodeid=1 --ndb-connectstring=mgm1:1186");
        assertThat(lines(inventory, NodeAction.INITIALISE, "1"))
                .singleElement()
                .asString()
                .contains("--initial");
        assertThat(NodeAction.values()).allMatch(inventory::has);
    }

    @Test
    void commandsOfTheUserReplaceDefaults() {
        Inventory inventory = parse("""
                engine: ndb
                defaults: {transport: ssh}
                commands:
                  start: [sudo, systemctl, start, "ndbmtd@{node}"]
                  kill: {here: [virsh, destroy, "{host}"]}
                data_nodes:
                  - {id: 1, host: db1}
                  - {id: 2, host: db2, commands: {start: "cd /data && exec ndbmtd --ndb-nodeid=$NODE"}}
                """);

        assertThat(calls(inventory, NodeAction.KILL, "1").get(0).line()).containsExactly("virsh", "destroy", "db1");
        assertThat(lines(inventory, NodeAction.START, "1").get(0)).contains("start sudo systemctl start ndbmtd@1");
        assertThat(lines(inventory, NodeAction.START, "2").get(0)).contains("NODE=2", "exec ndbmtd");
    }

    @Test
    void onlyAHostIsAskedForAProcessWhosePidFileCounts() {
        Inventory inventory = parse("""
                engine: cratedb
                defaults: {transport: ssh}
                data_nodes:
                  - {id: n1, host: db1}
                  - {id: n2, host: db2, commands: {kill: {here: [virsh, destroy, db2]}}}
                  - {id: n3, host: crate-3, transport: docker}
                  - {id: n4, host: crate-4, transport: kubectl}
                """);

        assertThat(inventory.node("n1").orElseThrow().alive().orElseThrow().toString())
                .contains("-- db1", "alive /run/crate/crate.pid");
        assertThat(inventory.node("n2").orElseThrow().alive()).isEmpty();
        assertThat(inventory.node("n3").orElseThrow().alive().orElseThrow().toString())
                .startsWith("sh -s -- container docker crate-3 '' alive");
        assertThat(inventory.node("n4").orElseThrow().alive()).isEmpty();
        assertThat(inventory.nodes(HostedNode.Role.DATA))
                .filteredOn(HostedNode::killedByDeletion)
                .extracting(HostedNode::id)
                .as("by SIGTERM first, which the doctor says")
                .containsExactly("n4");
        assertThat(inventory.node("n1").orElseThrow().probe().toString()).contains("systemctl");
        assertThat(inventory.node("n4").orElseThrow().probe().toString())
                .as("its controller starts it, and no command in it")
                .doesNotContain("systemctl");
    }

    @Test
    void nodesAreStartedWithThePropertiesThatCount() {
        String nodes = "engine: ndb\ndata_nodes: [{id: 1, host: db1, transport: ssh}]\n";
        Properties given = new Properties();
        given.setProperty("ndb.connectstring", "mgm1:1186");

        for (String more : List.of("", "properties: {ndb.connectstring: \"mgm9:1186\"}\n")) {
            Inventory inventory = Inventory.parse("i.yaml", nodes + more, Engine.installed(), given);

            assertThat(lines(inventory, NodeAction.START, "1").get(0)).contains("--ndb-connectstring=mgm1:1186");
            assertThat(lines(inventory, NodeAction.INITIALISE, "1").get(0))
                    .contains("--ndb-connectstring=mgm1:1186", "--initial");
        }
    }

    @Test
    void nodeIsNotStartedWithoutAPropertyThatItNeeds() {
        String nodes = "engine: ndb\ndata_nodes: [{id: 1, host: db1, transport: ssh}]\n";
        Inventory inventory = parse(nodes);

        assertThatThrownBy(() -> calls(inventory, NodeAction.START, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("properties: {ndb.connectstring: ...}");
        assertThatThrownBy(() -> calls(inventory, NodeAction.INITIALISE, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-p ndb.connectstring=...");
        assertThat(lines(parse(nodes + "commands: {start: [my-start]}\n"), NodeAction.START, "1"))
                .singleElement()
                .asString()
                .contains("my-start");
    }

    @Test
    void nodeThatWasEmptiedIsStartedByTheUsersCommand() {
        Inventory inventory = parse("""
                engine: cratedb
                defaults: {transport: ssh}
                commands: {start: [/opt/crate/start]}
                data_nodes: [{id: n1, host: db1}]
                """);

        List<String> lines = lines(inventory, NodeAction.INITIALISE, "n1");

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("wipe /run/crate/crate.pid", "/var/lib/crate nodes");
        assertThat(lines.get(1)).contains("start /opt/crate/start");
    }

    @Test
    void containersAreActedOnAsAWholeByTheMachineOfTheirEngine() {
        String text = "engine: %s\ndata_nodes: [{id: 1, host: db1, transport: podman, user: mysql}]";
        Inventory inventory = parse(text.formatted("galera"));

        assertThat(lines(inventory, NodeAction.KILL, "1"))
                .containsExactly("sh -s -- container podman db1 mysql kill /run/mysqld/mysqld.pid"
                        + " 'mariadbd|mysqld' /var/lib/mysql 550 <SCRIPT");
        assertThat(lines(inventory, NodeAction.INITIALISE, "1"))
                .satisfiesExactly(
                        wipe -> assertThat(wipe).contains("db1 mysql wipe", "/var/lib/mysql grastate.dat"),
                        start -> assertThat(start).contains("db1 mysql start"));
        assertThat(parse(text.formatted("ndb")).has(NodeAction.INITIALISE))
                .as("its servers do that by an option, which a container does not get")
                .isFalse();
        assertThat(lines(
                        parse(text.formatted("ndb").replace("user: mysql", "data_directory: /var/lib/ndb")),
                        NodeAction.INITIALISE,
                        "1"))
                .as("nor does it need it when its files are gone")
                .satisfiesExactly(
                        wipe -> assertThat(wipe).contains("wipe", "/var/lib/ndb ndb_1_fs"),
                        start -> assertThat(start).contains("db1 '' start"));
    }

    /** A server with much memory is gone late, even after SIGKILL; one that stops has two minutes, however short the timeout. */
    @Test
    void endOfAProcessIsWaitedForAsLongAsItsCallMayTake() {
        String nodes = "engine: galera\ndata_nodes: [{id: 1, host: a, transport: ssh}]\n";
        Inventory patient = parse(nodes + "timeout: 10m\n");
        Inventory hasty = parse(nodes + "timeout: 8s\n");

        assertThat(patient.bound(NodeAction.STOP)).isEqualTo(Duration.ofMinutes(10));
        assertThat(lines(patient, NodeAction.STOP, "1").get(0)).contains(" 5950' <SCRIPT");
        assertThat(lines(patient, NodeAction.KILL, "1").get(0)).contains(" 5950' <SCRIPT");
        assertThat(hasty.bound(NodeAction.STOP)).isEqualTo(Duration.ofSeconds(125));
        assertThat(hasty.stopBound(Duration.ofSeconds(120))).isEqualTo(Duration.ofSeconds(125));
        assertThat(hasty.stopBound(Duration.ofMinutes(3))).isEqualTo(Duration.ofMinutes(3));
        assertThat(lines(hasty, NodeAction.STOP, "1").get(0)).contains(" 1200' <SCRIPT");
        assertThat(hasty.bound(NodeAction.KILL)).isEqualTo(Duration.ofSeconds(8));
        assertThat(lines(hasty, NodeAction.KILL, "1").get(0)).contains(" 40' <SCRIPT");
    }

    @Test
    void linksAreCutAtTheAddressesOfTheOthers() {
        Inventory inventory = parse("""
                engine: ndb
                defaults: {transport: ssh}
                data_nodes:
                  - {id: 1, host: db1, addresses: [10.0.0.1, fd00--1]}
                  - {id: 2, host: db2, addresses: [10.0.0.2, 10.1.0.2]}
                  - {id: 3, host: db3}
                management: [{id: m, host: db1, addresses: [10.0.0.1]}]
                clients: [{id: c, host: load1}, {id: here, transport: local}]
                """);
        HostedLinks links = new HostedLinks(inventory);

        assertThat(links.call("1", LinkCut.both(Set.of("2", "3"), false)).toString())
                .contains("-- db1", "cut ycsb_drill_1 10.0.0.2,10.1.0.2,db3 10.0.0.2,10.1.0.2,db3 no no");
        assertThat(links.call("2", new LinkCut(Set.of("1"), Set.of(), false, false))
                        .toString())
                .contains("cut ycsb_drill_2 10.0.0.1,fd00--1 ", " no no");
        // The management server is on the node's own host, with which it is not cut off.
        assertThat(links.call("1", new LinkCut(Set.of(), Set.of("3"), true, false))
                        .toString())
                .contains("cut ycsb_drill_1 load1 db3 yes no");
        assertThat(links.mending("3").toString()).contains("mend ycsb_drill_3");
        assertThat(links.lacking(new LinkTrouble.Loss(0.1))).get().asString().contains("run step");
        assertThat(links.lacking(LinkCut.both(Set.of("2"), false))).isEmpty();
    }

    /** Without its addresses a container is known by a name that is none, and this machine as what would be the node's own host. */
    @Test
    void clientsAreCutOffAtAddressesThatAreKnown() {
        String text = """
                engine: ndb
                defaults: {transport: ssh}
                data_nodes: [{id: 1, host: db1}, {id: 2, host: db2}]
                sql_nodes: [{id: sql1, host: mysql-0, transport: podman%s}]
                clients: [{id: here, transport: local, addresses: [10.0.0.9]}]
                """;
        HostedLinks named = new HostedLinks(parse(text.formatted("")));
        HostedLinks known = new HostedLinks(parse(text.formatted(", addresses: [10.0.0.7]")));
        LinkCut everything = LinkCut.both(Set.of("2"), true);

        assertThat(named.lacking(everything)).get().asString().contains("sql1", "give its addresses");
        assertThat(named.lacking(LinkCut.both(Set.of("2"), false))).isEmpty();
        assertThat(known.lacking(everything)).isEmpty();
        assertThat(known.call("1", everything).toString()).contains(" 10.0.0.7,10.0.0.9,db2 ");
    }

    @Test
    void linksOfContainersAreCutInTheirOwnNetworksByTheMachineOfTheirEngine() {
        String text = """
                engine: galera
                defaults: {transport: podman}
                data_nodes: [{id: 1, host: a%s}, {id: 2, host: b, addresses: [10.0.0.2]}]
                """;
        HostedLinks links = new HostedLinks(parse(text.formatted(", addresses: [10.0.0.1]")));

        assertThat(links.call("1", LinkCut.both(Set.of("2"), true)).toString())
                .startsWith("sh -s -- container podman a '' cut ycsb_drill_1 10.0.0.2 10.0.0.2 yes yes");
        assertThat(links.call("2", new LinkTrouble.Loss(0.05)).toString())
                .startsWith("sh -s -- container podman b '' lose ycsb_drill_2 50");
        assertThat(links.call("2", new LinkTrouble.Corruption(0.05)).toString())
                .startsWith("sh -s -- container podman b '' corrupt ycsb_drill_2 50");
        assertThat(links.unknown(new LinkTrouble.Corruption(0.05))).isEmpty();
        assertThat(links.mending("2").toString()).startsWith("sh -s -- container podman b '' mend ycsb_drill_2");
        assertThat(links.unknown(new LinkTrouble.Loss(0.05))).isEmpty();
        assertThat(new HostedLinks(parse(text.formatted(""))).unknown(LinkCut.both(Set.of("1"), false)))
                .get()
                .asString()
                .contains("at which addresses 1 can be cut off", "give its addresses");
    }

    @Test
    void whatCanBeDoneToLinksAndDisksDependsOnTheTransport() {
        assertThat(parse("engine: ndb\ndata_nodes: [{id: 1, host: a, transport: ssh}]")
                        .faultsOfHosts())
                .containsOnlyKeys(Partitionable.class, Impairable.class);
        assertThat(parse("engine: ndb\ndata_nodes: [{id: 1, transport: local}]").faultsOfHosts())
                .containsOnlyKeys(Impairable.class);
        assertThat(parse("engine: ndb\ndata_nodes: [{id: 1, host: a, transport: docker}]")
                        .faultsOfHosts())
                .containsOnlyKeys(Partitionable.class);
        assertThat(parse("engine: ndb\ndata_nodes: [{id: 1, host: a, transport: kubectl}]")
                        .faultsOfHosts())
                .isEmpty();
    }

    @Test
    void disksAreFilledWhereTheDataAre() {
        Inventory galera = parse("engine: galera\ndata_nodes: [{id: 1, host: a, transport: ssh}]");
        HostedDisks disks = new HostedDisks(galera);

        assertThat(disks.lacking(DiskTrouble.of(Kind.FULL))).isEmpty();
        assertThat(disks.filling("1").toString()).contains("-- a", "fill /var/lib/mysql 55");
        assertThat(disks.freeing("1").toString()).contains("free /var/lib/mysql");
        assertThat(disks.lacking(DiskTrouble.of(Kind.STALL)))
                .get()
                .asString()
                .contains("disk-full", "do disk-stall by a run step");
        assertThat(new HostedDisks(parse("engine: ndb\ndata_nodes: [{id: 1, host: a, transport: ssh}]"))
                        .lacking(DiskTrouble.of(Kind.FULL)))
                .get()
                .asString()
                .contains("of node 1;", "data_directory");
    }

    @Test
    void everythingThatIsWrongIsNamedWithItsLine() {
        assertThatThrownBy(() -> parse("""
                        engine: oracle
                        properties: {db.passwd: x}
                        timeout: 5
                        defaults: {transport: telnet, color: red}
                        commands: {pause: x, reboot: [a]}
                        data_nodes:
                          - {id: 1, host: "a;b", transport: ssh}
                          - {id: 1, host: b, transport: ssh, port: 70000, pid_file: "x y"}
                          - {host: c, transport: ssh}
                        """))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("i.yaml:1: engine: \"oracle\"")
                .hasMessageContaining("i.yaml:2: properties.db.passwd: looks like a secret")
                .hasMessageContaining("i.yaml:3: timeout: \"5\"")
                .hasMessageContaining("i.yaml:4: defaults.transport: \"telnet\"")
                .hasMessageContaining("i.yaml:4: defaults.color: unknown key")
                .hasMessageContaining("i.yaml:5: commands.reboot: unknown key")
                .hasMessageContaining("i.yaml:5: commands: pause, resume and paused need each other")
                .hasMessageContaining("i.yaml:7: data_nodes[1].host: \"a;b\" is not a name")
                .hasMessageContaining("i.yaml:8: data_nodes[2].port: \"70000\" is out of range")
                .hasMessageContaining("i.yaml:8: data_nodes[2].pid_file: \"x y\"; expected a whole path")
                .hasMessageContaining("i.yaml:8: data_nodes[2].id: \"1\" is given twice")
                .hasMessageContaining("i.yaml:9: data_nodes[3].id: is missing");
        assertThatThrownBy(() -> parse("engine: ndb")).hasMessageContaining("data_nodes: is missing");
        assertThatThrownBy(() -> parse("engine: ndb\ndata_nodes: [{id: 1, host: a}]"))
                .hasMessageContaining(
                        "data_nodes[1].transport: is missing; one of local, ssh, docker, podman, kubectl");
    }

    @Test
    void rehearsalSaysEveryCommandAndRunsNone() throws Exception {
        Inventory inventory = parse("""
                engine: ndb
                properties: {ndb.connectstring: "mgm1:1186"}
                defaults: {transport: ssh}
                data_nodes: [{id: 1, host: db1}, {id: 2, host: db2}]
                """);
        List<String> said = new ArrayList<>();

        boolean possible = DrillRehearsal.of(DrillFile.parse("d.yaml", """
                                steps:
                                  - {fault: kill, node: "2", at: 1s}
                                  - {fault: pause, node: "2", at: 5s, duration: 1s}
                                  - {fault: initialise, node: random, at: 9s, mode: graceful}
                                  - {operation: backup, node: "1", at: 15s}
                                  - {fault: isolate, node: "2", at: 20s, from: all, duration: 5s}
                                """).schedule(), inventory, said::add);

        assertThat(possible).isTrue();
        assertThat(said).anyMatch(line -> line.contains("db2") && line.contains("kill /var"));
        assertThat(said).noneMatch(line -> line.contains("db1") && line.contains(" kill /var"));
        assertThat(said).filteredOn(line -> line.contains("--initial")).hasSize(2);
        assertThat(said).anyMatch(line -> line.contains("-- db2") && line.contains("cut ycsb_drill_2 db1 db1"));
        assertThat(said).anyMatch(line -> line.contains("-- db2") && line.contains("mend ycsb_drill_2"));
        assertThat(said).contains("    the management server stops node 1", "    the management server makes a backup");
    }

    /** As a drill would be refused, too. */
    @Test
    void rehearsalSaysWhatCannotBeDone() throws Exception {
        Inventory inventory = parse("""
                engine: cratedb
                defaults: {transport: ssh}
                data_nodes: [{id: crate1, host: db1}]
                """);
        List<String> said = new ArrayList<>();

        boolean possible = DrillRehearsal.of(
                DrillFile.parse("d.yaml", "steps: [{fault: pause, node: crate1, at: 5s, duration: 1s}]")
                        .schedule(),
                inventory,
                said::add);

        assertThat(possible).isFalse();
        assertThat(said).anyMatch(line -> line.contains("cannot be done: "));
    }

    /** A fault is of data nodes; one of the network is of proxies, whatever nodes it names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill, node: crate2, at: 5s                    | false | cannot be done: step kill: no node crate2; the nodes are crate1",
                "kill, node: sql1, at: 5s                      | false | cannot be done: step kill: no node sql1; the nodes are crate1",
                "delay, node: all, at: 5s, latency: 5ms, duration: 1s | true  | by a proxy of this tool's",
                "cut, node: server1, at: 5s, duration: 1s      | true  | by a proxy of this tool's",
            })
    void rehearsalKnowsWhatAFaultIsOf(String step, boolean possible, String said) throws Exception {
        Inventory inventory = parse("""
                engine: cratedb
                defaults: {transport: ssh}
                data_nodes: [{id: crate1, host: db1}]
                sql_nodes: [{id: sql1, host: db1}]
                """);
        List<String> lines = new ArrayList<>();

        assertThat(DrillRehearsal.of(
                        DrillFile.parse("d.yaml", "steps: [{fault: " + step + "}]")
                                .schedule(),
                        inventory,
                        lines::add))
                .isEqualTo(possible);

        assertThat(lines).anyMatch(line -> line.contains(said));
    }

    /** In the words of the drill's start, which a node that is up need not be asked for. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "galera   | fault: kill, node: primary      | node primary: no node of galera is primary; use random or a node's id",
                "galera   | fault: kill, node: not-primary  | node not-primary: no node of galera is primary",
                "harperdb | fault: kill, node: replicas     | node replicas: no node of harperdb is primary",
                "harperdb | fault: initialise, node: a      | fault initialise needs nodes that are initialisable; those of harperdb are not",
                "galera   | fault: kill, node: sync-standby | node sync-standby: ",
                "galera   | operation: switchover, node: primary | fault switchover needs nodes that are switchable; those of galera are not",
                "patroni  | operation: switchover, node: random | node random: only the primary can hand over; use node: primary",
                "galera   | fault: kill, node: 'zone:b'     | node zone:b: the nodes are in no zones",
                "galera   | fault: isolate, from: all, duration: 1s, node: a | ",
                "patroni  | fault: kill, node: primary      | ",
                "patroni  | fault: kill, node: sync-standby | ",
                "patroni  | operation: switchover, node: primary | ",
                "patroni  | operation: failover, node: a        | ",
                "cratedb  | fault: kill, node: primary      | ",
            })
    void rehearsalRefusesWhatTheStartRefuses(String engine, String step, String why) throws Exception {
        Inventory inventory = parse("""
                engine: %s
                defaults: {transport: ssh}
                data_nodes: [{id: a, host: db1}, {id: b, host: db2}]
                """.formatted(engine));
        FaultSchedule schedule = DrillFile.parse("d.yaml", "steps: [{step: s, " + step + ", at: 1s}]")
                .schedule();
        List<String> lines = new ArrayList<>();

        assertThat(DrillRehearsal.of(schedule, inventory, lines::add)).isEqualTo(why == null);

        if (why == null) {
            assertThat(lines).noneMatch(line -> line.contains("cannot be done"));
            assertThat(DrillRehearsal.refusals(schedule, inventory)).isEmpty();
        } else {
            assertThat(lines).anyMatch(line -> line.startsWith("    cannot be done: step s: " + why));
            assertThat(DrillRehearsal.refusals(schedule, inventory))
                    .anyMatch(text -> text.startsWith("step s: " + why));
        }
    }

    /** What the rehearsal says of a primary the drill's own check says of the engine's controller. */
    @Test
    void theWordsForAPrimaryThatIsNotThereAreThoseOfTheCluster() {
        assertThat(new NoNodes("galera").noPrimary())
                .isEqualTo(((HostedEngine) Engine.installed().stream()
                                .filter(engine -> engine.name().equals("galera"))
                                .findFirst()
                                .orElseThrow())
                        .withoutPrimary()
                        .orElseThrow());
    }

    private static List<HostCall> calls(Inventory inventory, NodeAction action, String node) {
        return inventory.calls(action, inventory.node(node).orElseThrow().info());
    }

    private static List<String> lines(Inventory inventory, NodeAction action, String node) {
        return calls(inventory, action, node).stream().map(HostCall::toString).toList();
    }

    private static Inventory parse(String text) {
        return Inventory.parse("i.yaml", text, Engine.installed(), new Properties());
    }
}
