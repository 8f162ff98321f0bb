package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.host.Containers;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An NDB cluster that nobody of ours has started: a management server and two data nodes, each in a container of Podman's with a network
 * and a volume of its own. Clients use the NDB API from the machine. Set {@code NDB_HOME} to run it.
 */
@Tag("engine")
@Tag("soak")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NdbContainersIT {
    private static final List<Integer> NODES = List.of(1, 2);
    private static final String DATA = "/var/lib/mysql-cluster";
    private static final String MANAGEMENT = "10.98.0.65";

    private Path folder;
    private Containers containers;
    private NdbHome home;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        folder = directory;
        home = TestedNdb.completeHome();
        containers = Containers.start(Containers.Kind.PODMAN, folder.resolve("engine"));
        Files.writeString(
                Files.createDirectories(folder.resolve("drill")).resolve("config.ini"),
                """
                [ndbd default]
                NoOfReplicas=2
                DataMemory=64M
                DiskPageBufferMemory=4M
                SharedGlobalMemory=32M
                MaxNoOfConcurrentOperations=32768
                FragmentLogFileSize=16M
                NoOfFragmentLogFiles=8
                RedoBuffer=32M
                NumCPUs=1
                AutomaticThreadConfig=0
                MaxNoOfExecutionThreads=2
                HeartbeatIntervalDbDb=1500
                TimeBetweenLocalCheckpoints=20
                ODirect=0
                IndexStatAutoCreate=0
                DataDir=%s
                [ndb_mgmd]
                NodeId=65
                HostName=%s
                DataDir=%1$s
                [ndbd]
                NodeId=1
                HostName=10.98.0.1
                [ndbd]
                NodeId=2
                HostName=10.98.0.2
                """.formatted(DATA, MANAGEMENT) + ("[api]\nHostName=" + Containers.MACHINE + "\n").repeat(10));
        container(
                "mgm",
                MANAGEMENT,
                "ndb_mgmd",
                "-f",
                "/drill/config.ini",
                "--configdir=" + DATA,
                "--initial",
                "--nodaemon");
        for (int node : NODES) {
            container(
                    "db" + node,
                    "10.98.0." + node,
                    "ndbmtd",
                    "--nodaemon",
                    "--ndb-nodeid=" + node,
                    "--ndb-connectstring=" + MANAGEMENT);
        }
        Files.writeString(folder.resolve("inventory.yaml"), """
                engine: ndb
                properties: {ndb.connectstring: "%1$s"}
                defaults: {transport: podman, data_directory: %2$s}
                journal: %3$s/heal
                management: [{id: mgm, host: mgm, pid_file: %2$s/ndb_65.pid, program: ndb_mgmd, addresses: [%1$s]}]
                data_nodes:
                  - {id: 1, host: db1, addresses: [10.98.0.1]}
                  - {id: 2, host: db2, addresses: [10.98.0.2]}
                """.formatted(MANAGEMENT, DATA, folder));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        for (ProgramOutput said = status(); said.exit() != 0; said = status()) {
            assertThat(System.nanoTime())
                    .as(said.text() + containers.engine("ps", "-a") + containers.engine("logs", "db1"))
                    .isLessThan(end);
            Thread.sleep(500);
        }
    }

    private void container(String name, String address, String... command) throws Exception {
        String path = home.program("ndbmtd").orElseThrow().getParent() + ":/usr/sbin:/usr/bin";
        List<String> options = new ArrayList<>(containers.programs(home.root()));
        options.addAll(List.of("-v", "data-" + name + ":" + DATA, "-v", folder.resolve("drill") + ":/drill:ro"));
        options.addAll(List.of("-e", "PATH=" + path, "--network", "drill", "--ip", address));
        containers.container(name, options, List.of(command));
    }

    /** From the machine, as are the clients. */
    private ProgramOutput status() throws Exception {
        return ycsb("cluster", "status");
    }

    private ProgramOutput ycsb(String... words) throws Exception {
        List<String> command = containers.into();
        command.addAll(List.of("env", "NDB_HOME=" + home.root(), "YCSB_DRILL_STATE=" + folder.resolve("state")));
        containers.environment().forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(Child.ycsb(Stream.concat(
                        Stream.of(words),
                        Stream.of(
                                "--inventory", folder.resolve("inventory.yaml").toString()))
                .toArray(String[]::new)));
        return ProgramOutput.of(command, Duration.ofMinutes(2));
    }

    @AfterAll
    void down() throws Exception {
        if (containers != null) {
            containers.close();
        }
    }

    @Test
    void theDoctorProvesEachContainer() throws Exception {
        ProgramOutput doctor = ycsb("doctor");

        assertThat(doctor.exit()).as(doctor.text()).isZero();
        assertThat(doctor.text())
                .contains("data node 1 on db1 (podman): process 1 of its container", "1 started, 2 started");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void eachFaultIsEffectiveAndRecoveredFrom() throws Exception {
        new Matrix(containers, folder).assertRows("ndb-podman", "NDB_HOME=" + home.root());
    }
}
