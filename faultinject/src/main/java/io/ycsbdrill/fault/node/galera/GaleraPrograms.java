package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a local cluster: how they are started, found again by their pid files, and ended. Each node is one process,
 * the leader of a session; what it starts to copy data is in its group. Thread-safe as far as callers keep to one operation per
 * node.
 */
final class GaleraPrograms {
    private static final Duration INSTALL_BOUND = Duration.ofMinutes(5);
    private static final Duration CLIENT_BOUND = Duration.ofSeconds(30);
    private static final long KILL_BOUND_MILLIS = 10_000;

    private final GaleraHome home;
    private final GaleraFiles files;
    private final List<String> nodes;

    GaleraPrograms(GaleraHome home, GaleraFiles files, List<String> nodes) {
        this.home = home;
        this.files = files;
        this.nodes = nodes;
    }

    /** What a node is started with. */
    enum Begin {
        /** The first node of a new cluster. */
        FIRST,
        /** No data. */
        INITIAL,
        /** The data it has. */
        AGAIN
    }

    /** What the command line of each of our programs contains. */
    private String mark() {
        return files.directory() + "/";
    }

    /**
     * Binds the processes to the life of this one.
     *
     * @return keeps them alive while it lives and its standard input is open
     */
    Process watchdog() {
        return Watchdog.start(files.directory(), files.output("watchdog"));
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
        run("mariadb-install-db", command, INSTALL_BOUND, "install");
    }

    /** Has the server end at once, by its own means: without writing back pages, as after a crash. */
    void abort(String node) {
        run(
                "stopping " + node,
                List.of(
                        home.required("mariadb"),
                        "--no-defaults",
                        "--user=root",
                        "--socket=" + files.socket(node),
                        "--connect-timeout=10",
                        "--execute=SET GLOBAL innodb_fast_shutdown=3; SHUTDOWN"),
                CLIENT_BOUND,
                "abort-" + node);
    }

    private void run(String what, List<String> command, Duration bound, String output) {
        try {
            Process process = builder(command, output).start();
            try {
                if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new NodeControlException(
                            what + " did not end within " + bound.toSeconds() + " s; " + printed(output));
                }
                if (process.exitValue() != 0) {
                    throw new NodeControlException(
                            what + " ended with code " + process.exitValue() + "; " + printed(output));
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new NodeControlException(what + " failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted during " + what, e);
        }
    }

    /** Starts the node and returns its process. */
    OsProcess start(String node, Begin mode) {
        String number = Integer.toString(nodes.indexOf(node) + 1);
        List<String> command = List.of(
                "setsid", // out of reach of the terminal's Ctrl-C
                "sh",
                files.script().toString(),
                files.directory().toString(),
                number,
                Integer.toString(nodes.size()),
                mode.name().toLowerCase(java.util.Locale.ROOT));
        try {
            Files.deleteIfExists(files.position(node));
            Process process = builder(command, node).start();
            Path draft = files.pid(node).resolveSibling(node + ".pid.new");
            Files.writeString(draft, process.pid() + "\n");
            Files.move(draft, files.pid(node), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new OsProcess(process.pid());
        } catch (IOException e) {
            throw new NodeControlException("cannot start " + node + ": " + e.getMessage(), e);
        }
    }

    private ProcessBuilder builder(List<String> command, String output) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(files.directory().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(files.output(output).toFile()));
        Map<String, String> added = new HashMap<>(home.environment(builder.environment()));
        // The server looks for its copy scripts in its own folder first, so ours has a name of its own.
        added.put("PATH", files.programs() + ":" + added.get("PATH"));
        builder.environment().putAll(added);
        // Our own options only, whatever the user keeps for other servers.
        builder.environment().keySet().removeIf(name -> name.startsWith("MYSQL_") || name.startsWith("MARIADB_"));
        return builder;
    }

    /** The node's process; empty when it is not running. */
    Optional<OsProcess> process(String node) {
        return OsProcess.recorded(files.pid(node), mark());
    }

    /** Whether any node has a process. */
    boolean anyRuns() {
        return nodes.stream().anyMatch(node -> process(node).isPresent());
    }

    /** Whether the node's server itself runs, and not only what comes before it. */
    boolean serves(String node) {
        return process(node).filter(p -> p.is("mariadbd")).isPresent();
    }

    /**
     * Ends the node and whatever it started with SIGKILL.
     *
     * @throws NodeControlException when it is still there after ten seconds
     */
    void kill(String node) {
        process(node).ifPresent(process -> {
            process.signalGroup("KILL");
            if (!process.awaitEnd(KILL_BOUND_MILLIS)) {
                throw new NodeControlException(node + " did not end within " + KILL_BOUND_MILLIS
                        + " ms after SIGKILL (pid " + process.pid() + " still alive); files are kept in "
                        + files.directory());
            }
        });
    }

    /** The last lines of a node's log and where it is. */
    String lastWords(String node) {
        String own = GaleraFiles.lastLines(files.log(node), 5);
        String printed = GaleraFiles.lastLines(files.output(node), 3);
        return (own.isEmpty() ? "" : "last lines: \"" + own + "\"; ")
                + (printed.isEmpty() ? "" : "it printed: \"" + printed + "\"; ") + "full log: " + files.log(node);
    }

    private String printed(String output) {
        return "it printed: \"" + GaleraFiles.lastLines(files.output(output), 5) + "\" (" + files.output(output) + ")";
    }
}
