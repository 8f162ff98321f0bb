package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts the programs of a local cluster, finds its processes again by their pid files, and ends them. A data node is two
 * processes with one command line: the angel, which we start and whose pid is recorded, and its child, the worker.
 * Thread-safe as far as callers keep to one operation per node.
 */
final class NdbPrograms {
    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private static final Duration SQL_INITIALISE_BOUND = Duration.ofMinutes(5);

    /** The management server's name. */
    static final String MANAGEMENT = "mgmd";

    private static final List<String> PROGRAMS = List.of("ndbmtd", "ndb_mgmd", "mysqld");

    private static final long MANAGEMENT_END_MILLIS = 10_000;

    private final NdbFiles files;
    private final Installations installations;

    NdbPrograms(NdbHome home, NdbFiles files) {
        this.files = files;
        this.installations = new Installations(files.directory(), home.root());
    }

    /** By the name of the program: that of a node, of a SQL node, or of the management server. */
    Installations installations() {
        return installations;
    }

    static String nodeName(int node) {
        return "node" + node;
    }

    static String sqlName(int sql) {
        return "mysqld" + sql;
    }

    /**
     * Ends the processes when this one ends.
     *
     * @return keeps them alive while it lives and its standard input is open
     */
    Process watchdog() {
        return Watchdog.start(files.directory(), files.output("watchdog"));
    }

    /** For the first time: whatever it remembers of a configuration is discarded. */
    Process startManagement() {
        return startManagement("--initial");
    }

    private Process startManagement(String configuration) {
        return launch(
                MANAGEMENT,
                List.of(
                        program(MANAGEMENT, "ndb_mgmd"),
                        "--no-defaults",
                        "--config-file=" + files.config(),
                        "--configdir=" + files.configCache(),
                        "--bind-address=" + IsolatedNetwork.clientAddress(files.directory()),
                        configuration,
                        "--nodaemon"));
    }

    /** Ends the management server and starts it with what {@code config.ini} has now. */
    void restartManagement() {
        NodeIo.run("the management server cannot be restarted", () -> {
            AtomicFile.write(
                    files.managementRestart(),
                    PidFile.text(ProcessHandle.current().pid(), List.of("java")));
            management().ifPresent(server -> server.end(MANAGEMENT_END_MILLIS));
            completeRestart();
        });
    }

    /**
     * Starts the management server when a process that was about to has not: it was killed in between. One that still runs
     * does it itself.
     */
    void resumeManagement() throws IOException {
        Path restart = files.managementRestart();
        if (Files.exists(restart) && PidFile.running(restart).isEmpty()) {
            completeRestart();
        }
    }

    private void completeRestart() throws IOException {
        if (management().isEmpty()) {
            startManagement("--reload");
        }
        Files.deleteIfExists(files.managementRestart());
    }

    /** Starts angel and worker and returns the worker. */
    OsProcess startNode(int node, boolean initial) {
        List<String> command = new ArrayList<>(NodeSandbox.enter(files.directory(), Integer.toString(node)));
        command.addAll(List.of(
                program(nodeName(node), "ndbmtd"),
                "--defaults-file=" + files.dataOptions(),
                "--ndb-nodeid=" + node,
                "--nodaemon"));
        if (initial) {
            command.add("--initial");
        }
        Process angel = launch(
                nodeName(node),
                command,
                environment -> NodeSandbox.environment(
                        files.directory(), Integer.toString(node), files.data(node), environment));
        boolean runs = NodeLocks.holds(START_BOUND, () -> {
            if (!angel.isAlive()) {
                throw new NodeControlException(
                        "node " + node + " ended at once with exit status " + angel.exitValue() + "; " + logs(node));
            }
            return worker(node).isPresent();
        });
        if (!runs) {
            killNode(node);
            throw new NodeControlException(
                    "node " + node + " has no worker process after " + START_BOUND.toSeconds() + " s; " + logs(node));
        }
        return worker(node).orElseThrow(() -> new NodeControlException("node " + node + " ended; " + logs(node)));
    }

    /** Makes the SQL node's data directory; takes some seconds. */
    void initialiseSql(int sql) {
        NodeIo.run("mysqld --initialize-insecure failed", () -> {
            ProgramOutput output = ProgramOutput.of(
                    List.of(
                            program(sqlName(sql), "mysqld"),
                            "--defaults-file=" + files.sqlOptions(sql),
                            "--initialize-insecure"),
                    SQL_INITIALISE_BOUND);
            if (output.exit() != 0) {
                throw new NodeControlException("mysqld --initialize-insecure ended with exit status " + output.exit()
                        + ": \"" + output.firstLine() + "\"; log: " + lastLines(sqlName(sql)));
            }
        });
    }

    /** The SQL node's process; empty when it is not running. */
    Optional<OsProcess> sql(int sql) {
        return PidFile.running(files.pid(sqlName(sql)));
    }

    Process startSql(int sql) {
        return launch(
                sqlName(sql),
                List.of(
                        program(sqlName(sql), "mysqld"),
                        "--defaults-file=" + files.sqlOptions(sql),
                        "--init-file=" + files.sqlInit(sql)));
    }

    private Process launch(String name, List<String> command) {
        return launch(name, command, environment -> {});
    }

    private Process launch(String name, List<String> command, Consumer<Map<String, String>> environment) {
        return NodeIo.get(
                "cannot start " + name,
                () -> Launcher.start(
                        command, files.directory(), files.output(name), files.pid(name), PROGRAMS, environment));
    }

    /**
     * A program of the installation from which another one is started.
     *
     * @param of as {@link #installations} name it
     * @throws NodeControlException when it is not there
     */
    String program(String of, String name) {
        NdbHome home = new NdbHome(installations.of(of));
        return home.program(name)
                .orElseThrow(() -> new NodeControlException(name + " not found in " + home.root()))
                .toString();
    }

    Optional<OsProcess> angel(int node) {
        return PidFile.running(files.pid(nodeName(node)));
    }

    /** The node's working process; empty when it is not running. */
    Optional<OsProcess> worker(int node) {
        return angel(node).flatMap(angel -> angel.children().stream().findFirst());
    }

    /** What the working processes of these nodes, and the management server, have used. */
    Map<String, NodeUse> use(List<NodeInfo> nodes) {
        Map<String, NodeUse> use = new LinkedHashMap<>();
        nodes.forEach(node -> worker(Integer.parseInt(node.id()))
                .flatMap(process -> ProcFs.use(process.pid()))
                .ifPresent(used -> use.put(node.id(), used)));
        management().flatMap(process -> ProcFs.use(process.pid())).ifPresent(used -> use.put(MANAGEMENT, used));
        return use;
    }

    /**
     * Ends worker and angel with SIGKILL; the worker first, so that the angel reports its end to the management server.
     *
     * @throws NodeControlException when one of them is still there after ten seconds
     */
    void killNode(int node) {
        Optional<OsProcess> angel = angel(node);
        if (angel.isEmpty()) {
            return;
        }
        List<OsProcess> workers = angel.get().children();
        workers.forEach(worker -> end(worker, node, 10_000));
        if (workers.isEmpty() || !angel.get().awaitEnd(3_000)) {
            List<OsProcess> late = angel.get().children();
            end(angel.get(), node, 10_000);
            late.forEach(worker -> end(worker, node, 10_000));
        }
    }

    private void end(OsProcess process, int node, long boundMillis) {
        process.kill();
        if (!process.awaitEnd(boundMillis)) {
            throw new NodeControlException("node " + node + " did not end within " + boundMillis
                    + " ms of SIGKILL (pid " + process.pid() + " is still running)");
        }
    }

    /** Whether any process of the cluster runs. */
    boolean anyRuns() {
        return !PidFile.allRunning(files.directory().resolve("run")).isEmpty();
    }

    boolean managementRuns() {
        return management().isPresent();
    }

    private Optional<OsProcess> management() {
        return PidFile.running(files.pid(MANAGEMENT));
    }

    /** The last lines of a node's logs and their paths. */
    String logs(int node) {
        return "last lines: " + LogTail.quoted(files.nodeLog(node), 5) + "; it printed: " + lastLines(nodeName(node));
    }

    /** The last lines that a program printed, and the path of the file. */
    String lastLines(String name) {
        return LogTail.quoted(files.output(name), 5);
    }
}
