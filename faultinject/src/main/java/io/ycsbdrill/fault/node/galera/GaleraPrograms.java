package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.base.ProcessTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the programs that a local cluster's nodes are made, asked, stopped and backed up with, each of the node's installation. Thread-safe
 * as far as callers keep to one operation per node.
 */
final class GaleraPrograms {
    private static final Duration INSTALL_BOUND = Duration.ofMinutes(5);
    private static final Duration BACKUP_BOUND = Duration.ofHours(24);
    private static final String BACKUP = "mariadb-backup";
    private static final Duration CLIENT_BOUND = Duration.ofSeconds(30);

    private final GaleraHome home;
    private final GaleraFiles files;
    private final Members members;
    private final Installations installations;

    GaleraPrograms(GaleraHome home, GaleraFiles files, Members members) {
        this.home = home;
        this.files = files;
        this.members = members;
        this.installations = new Installations(files.directory(), home.root());
    }

    Installations installations() {
        return installations;
    }

    /** The installation from which the node is started. */
    private GaleraHome home(String node) {
        return new GaleraHome(installations.of(node));
    }

    /** Makes the first node's data directory; takes some seconds. */
    void install(String node, Path accounts, boolean asRoot) {
        List<String> command = new ArrayList<>(List.of(
                home.required("mariadb-install-db"),
                "--defaults-file=" + files.options(node),
                "--basedir=" + home.usr(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--skip-name-resolve",
                "--extra-file=" + accounts));
        if (asRoot) {
            command.add("--user=root");
        }
        run("mariadb-install-db", home, command, INSTALL_BOUND, "install");
    }

    /** Makes the server end at once, by its own means: without writing back pages, as after a crash. */
    void abort(String node) {
        run(
                "stopping " + node,
                home(node),
                List.of(
                        home(node).required("mariadb"),
                        "--no-defaults",
                        "--user=root",
                        "--socket=" + files.socket(node),
                        "--connect-timeout=10",
                        "--execute=SET GLOBAL innodb_fast_shutdown=3; SHUTDOWN"),
                CLIENT_BOUND,
                "abort-" + node);
    }

    /** Whether the installation of any node can make a backup. */
    boolean canBackUp() {
        return members.members().stream().anyMatch(this::canBackUp);
    }

    /** Whether the node's installation can make a backup. */
    boolean canBackUp(String node) {
        return home(node).program(BACKUP).isPresent();
    }

    /** Makes a backup of what the node has while it serves, which ends with this process, and says in which new folder it is. */
    Path backUp(String node) {
        List<String> command = new ArrayList<>(Launcher.endingWithItsStarter());
        Path to = files.home(node).resolve("backup-" + System.nanoTime());
        command.addAll(List.of(
                home(node).required(BACKUP), // of another version it does not understand the server's files
                "--no-defaults",
                "--backup",
                "--galera-info",
                "--user=root",
                "--socket=" + files.socket(node),
                "--datadir=" + files.data(node),
                "--target-dir=" + to));
        run("the backup of " + node, home(node), command, BACKUP_BOUND, "backup-" + node);
        return to;
    }

    /** Whether the file is there that is written last. */
    boolean isComplete(Path backup) {
        return Stream.of("xtrabackup_checkpoints", "mariadb_backup_checkpoints")
                .anyMatch(name -> Files.isRegularFile(backup.resolve(name)));
    }

    /** Whether a backup can be put back on the node: the program is there, and nobody uses the place of the copy. */
    void checkPutBack(String node) {
        home(node).required(BACKUP);
        DirectoryUsers.requireUnused(node, restored(node));
        NodeIo.run("the restore of " + node + " cannot begin", () -> OwnedDirectory.checkPart(restored(node)));
    }

    private Path restored(String node) {
        return files.home(node).resolve("restored");
    }

    /** Fills the node's data directory, which is empty, from a backup, which stays as it is; all of it may take as long as a backup. */
    void putBack(String node, Path backup) {
        Path copy = restored(node);
        String what = "the restore of " + node;
        NodeIo.run(what + " failed", () -> {
            OwnedDirectory.deletePart(copy);
            runToItsEnd(what, node, "cp", "-a", backup.toString(), copy.toString());
            for (String step : List.of("--prepare", "--move-back")) {
                runToItsEnd(
                        what,
                        node,
                        home(node).required(BACKUP),
                        "--no-defaults",
                        step,
                        "--datadir=" + files.data(node),
                        "--target-dir=" + copy);
            }
            OwnedDirectory.deletePart(copy);
        });
    }

    /** Ends with this process, so that nothing is copied once it is gone. */
    private void runToItsEnd(String what, String node, String... command) {
        List<String> line = new ArrayList<>(Launcher.endingWithItsStarter());
        line.addAll(List.of(command));
        run(what, home(node), line, BACKUP_BOUND, "restore-" + node);
    }

    /** The values that a running server has now, by canonical name; those that it does not know are missing. */
    Map<String, String> variables(String node, Set<String> names) {
        String list = names.stream()
                .map(name -> "'" + Reconfiguration.canonical(name) + "'")
                .collect(Collectors.joining(","));
        return NodeIo.get(node + " cannot be asked for its settings", () -> {
            ProgramOutput output = ProgramOutput.of(
                    List.of(
                            home(node).required("mariadb"),
                            "--no-defaults",
                            "--user=root",
                            "--socket=" + files.socket(node),
                            "--connect-timeout=10",
                            "--batch",
                            "--skip-column-names",
                            "--execute=SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + list + ")"),
                    home(node).environment(System.getenv()),
                    CLIENT_BOUND);
            if (output.exit() != 0) {
                throw new NodeControlException(node + " cannot be asked for its settings: " + output.firstLine());
            }
            Map<String, String> values = new HashMap<>();
            output.text().lines().map(line -> line.split("\t", -1)).forEach(line -> values.put(line[0], line[1]));
            return values;
        });
    }

    private void run(String what, GaleraHome from, List<String> command, Duration bound, String output) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(files.directory().toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            files.output(output).toFile()));
            setEnvironment(from, builder.environment());
            Process process = builder.start();
            try {
                if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new NodeControlException(
                            what + " did not end within " + bound.toSeconds() + " s; " + printed(output));
                }
                if (process.exitValue() != 0) {
                    throw new NodeControlException(
                            what + " ended with exit status " + process.exitValue() + "; " + printed(output));
                }
            } finally {
                ProcessTree.kill(process);
            }
        } catch (IOException e) {
            throw new NodeControlException(what + " failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted during " + what, e);
        }
    }

    /** Sets what the process of a node that is about to be started finds in its environment. */
    void setEnvironment(String node, Map<String, String> environment) {
        setEnvironment(home(node), environment);
    }

    void setEnvironment(GaleraHome from, Map<String, String> environment) {
        Map<String, String> added = new HashMap<>(from.environment(environment));
        // The server looks for its copy scripts in its own folder first, so ours has a name of its own.
        added.put("PATH", files.programs() + ":" + added.get("PATH"));
        // Its log has local times, which a clock change repeats.
        added.put("TZ", "UTC0");
        environment.putAll(added);
        // Our own options only, whatever the user keeps for other servers.
        environment.keySet().removeIf(name -> name.startsWith("MYSQL_") || name.startsWith("MARIADB_"));
    }

    /** The node's process; empty when it is not running. */
    Optional<OsProcess> process(String node) {
        return PidFile.running(files.pid(node));
    }

    /** Whether the node's server itself runs, and not only what comes before it. */
    boolean serves(String node) {
        return process(node).filter(p -> p.is("mariadbd")).isPresent();
    }

    private String printed(String output) {
        return "it printed: " + LogTail.quoted(files.output(output), 5);
    }
}
