package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.host.SshHosts.Machine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import io.ycsbdrill.fault.node.os.NetworkNamespaces;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links between hosts of an inventory are cut: three data nodes of NDB, each in a network namespace of its own with an sshd of its own. */
@Tag("engine")
@Timeout(420)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostLinksIT {
    private static final List<String> NODES = List.of("1", "2", "3");

    @TempDir
    static Path folder;

    private static SshHosts hosts;
    private static NdbHome home;
    private static String connectString = "none";
    private static boolean begun;

    @BeforeAll
    static void up() throws Exception {
        home = TestedNdb.completeHome();
        Finding finding = NetworkNamespaces.diagnose();
        boolean possible = finding.verdict() == Finding.Verdict.OK
                && System.getProperty("user.name").equals("root");
        assumeTrue(possible, "it is for root; " + finding.text());
        Files.writeString(folder.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=500
                operationcount=500
                readproportion=0.5
                updateproportion=0.5
                """);
        begun = true;
        try (Child up = new Child(
                folder, environment("cluster"), Child.ycsb("cluster", "up", "ndb", "--network", "isolated"))) {
            assertThat(up.exitCode()).as(up.err()).isZero();
        }
        List<Machine> machines = new ArrayList<>();
        for (String node : NODES) {
            machines.add(new Machine(
                    "db" + node,
                    "10.99.0." + node,
                    into(node),
                    List.of("PATH=" + home.program("ndbmtd").orElseThrow().getParent()
                            + ":/usr/sbin:/usr/bin:/sbin:/bin")));
        }
        hosts = SshHosts.start(folder.resolve("ssh"), machines);
        Files.writeString(folder.resolve("inventory.yaml"), inventory());
    }

    @AfterAll
    static void down() throws Exception {
        if (hosts != null) {
            hosts.close();
        }
        if (!begun) {
            return;
        }
        for (String node : NODES) {
            // Those that were started on their hosts are not the cluster's own, and would go on writing.
            processes(node).forEach(ProcessHandle::destroyForcibly);
        }
        try (Child down = new Child(folder, environment("cluster"), Child.ycsb("cluster", "down", "all"))) {
            assertThat(down.exitCode()).as(down.err()).isZero();
        }
    }

    private static Map<String, String> environment(String machine) {
        return Map.of(
                "NDB_HOME", home.root().toString(),
                "YCSB_DRILL_STATE", folder.resolve(machine).toString());
    }

    /** The beginning of a command line that runs in the network of a data node, or of everything else. */
    private static List<String> into(String keeper) throws IOException {
        Path file = folder.resolve("cluster/ndb/cluster/network").resolve(keeper + ".pid");
        String pid = Files.readString(file).strip().split("\\s")[0];
        return List.of("nsenter", "--net=/proc/" + pid + "/ns/net", "--");
    }

    private static String inventory() throws IOException {
        String cluster = Files.readString(folder.resolve("cluster/ndb/cluster.json"));
        connectString = cluster.replaceAll("(?s).*\"ndb.connectstring\" *: *\"([^\"]*)\".*", "$1");
        StringBuilder text = new StringBuilder("""
                engine: ndb
                properties: {ndb.connectstring: "%s"}
                defaults: {transport: ssh, ssh_config: %s}
                journal: %s/heal
                data_nodes:
                """.formatted(connectString, hosts.config(), folder));
        for (String node : NODES) {
            text.append("  - {id: %1$s, host: db%1$s, addresses: [10.99.0.%1$s], pid_file: %2$s}\n"
                    .formatted(node, pidFile(node)));
        }
        return text.toString();
    }

    /** The server writes it only as a daemon, which those of {@code cluster up} are not. */
    private static Path pidFile(String node) throws IOException {
        Path file = folder.resolve("cluster/ndb/cluster/node" + node + "/ndb_" + node + ".pid");
        List<ProcessHandle> processes = processes(node);
        List<Long> pids = processes.stream().map(ProcessHandle::pid).toList();
        long angel = processes.stream()
                .filter(process ->
                        process.parent().filter(p -> pids.contains(p.pid())).isEmpty())
                .findFirst()
                .orElseThrow()
                .pid();
        return Files.writeString(file, angel + "\n");
    }

    /** Those of a data node, by whomever they were started. */
    private static List<ProcessHandle> processes(String node) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String line = process.info().commandLine().orElse("") + " ";
                    return line.contains("ndbmtd")
                            && line.contains("--ndb-nodeid=" + node + " ")
                            && (line.contains(folder.toString()) || line.contains(connectString));
                })
                .toList();
    }

    /** Where the clients and the management server are. */
    private static Child ycsb(String machine, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(into("keeper"));
        command.addAll(Child.ycsb(arguments));
        return new Child(Files.createDirectories(folder.resolve(machine)), environment(machine), command);
    }

    private static Child drill(String file, String out) throws IOException {
        return ycsb(
                "admin",
                "drill",
                "native",
                "-P",
                folder.resolve("w").toString(),
                "-D",
                folder.resolve(file).toString(),
                "--on",
                folder.resolve("inventory.yaml").toString(),
                "--out",
                out);
    }

    private static String tables(String node) throws IOException {
        List<String> command = new ArrayList<>(into(node));
        command.addAll(List.of("nft", "list", "tables"));
        return ProgramOutput.of(command).text();
    }

    @Test
    @Order(1)
    void theDoctorSaysThatLinksCanBeCut() throws Exception {
        try (Child doctor = ycsb(
                "admin",
                "doctor",
                "--inventory",
                folder.resolve("inventory.yaml").toString())) {
            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out() + doctor.err()).contains("its links can be cut");
        }
    }

    @Test
    @Order(2)
    void aNodeIsIsolatedOnItsHostAndComesBack() throws Exception {
        Files.writeString(folder.resolve("isolate.yaml"), """
                name: isolate
                load: max
                steady: off
                cooldown: 3s
                recovery_timeout: 4m
                steps:
                  - {step: isolate, fault: isolate, from: all, node: "2", duration: 25s, at: 3s}
                limits: {max_recovery: 3m, acked_lost: any}
                """);
        try (Child drill = drill("isolate.yaml", "isolated")) {
            assertThat(drill.exitCode()).as(drill.err() + drill.out()).isZero();
        }

        Path out = folder.resolve("admin/isolated");
        Markers.assertEveryFaultWasEffective(out);
        assertThat(Files.readString(out.resolve("markers.jsonl")))
                .containsPattern(
                        "[1-9]\\d* packets of 2 and [1-9]\\d* packets to 2 were lost, cut off to and from 1, 3");
        assertThat(Files.readAllLines(out.resolve("phases.csv")))
                .as(Markers.story(out))
                .anyMatch(row -> row.contains("synchronise"));
        assertThat(tables("2")).doesNotContain("ycsb_drill");
        try (Stream<Path> open = Files.list(folder.resolve("heal"))) {
            assertThat(open).isEmpty();
        }
    }

    @Test
    @Order(3)
    void anotherMachineMendsWhatAKilledToolHasCut() throws Exception {
        Files.writeString(folder.resolve("long.yaml"), """
                name: long
                load: max
                steady: off
                steps:
                  - {step: one-way, fault: one-way, to: all, node: "3", duration: 30m, at: 1s}
                """);
        try (Child drill = drill("long.yaml", "killed")) {
            Path markers = folder.resolve("admin/killed/markers.jsonl");
            drill.await(() -> {
                try {
                    return Files.exists(markers) && Files.readString(markers).contains("\"fault-effective\"");
                } catch (IOException e) {
                    return false;
                }
            });
            drill.signal("KILL");
            drill.exitCode();
        }
        assertThat(tables("3")).contains("ycsb_drill_3");

        try (Child heal = ycsb(
                "other",
                "cluster",
                "heal",
                "--inventory",
                folder.resolve("inventory.yaml").toString())) {
            assertThat(heal.exitCode()).as(heal.err()).isZero();
            assertThat(heal.err()).containsPattern("recorded on the host of 3: cut 20\\S+ \\S+@");
            assertThat(heal.err()).contains("every node has recovered");
        }

        assertThat(tables("3")).doesNotContain("ycsb_drill");
        assertThat(folder.resolve("heal/ndb-3")).doesNotExist();
    }
}
