package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.kit.Restoring;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Copies a node's data by {@code pg_basebackup} while it serves, and puts them back. Thread-safe as far as callers keep to one operation
 * per node.
 */
final class PatroniBackups implements Restoring {
    private static final Duration BOUND = Duration.ofHours(24);

    /** The installation from which a node is started. */
    private final Function<String, PatroniHome> homes;

    private final PatroniFiles files;
    private final RunAs user;
    private final PatroniStore store;
    private volatile Optional<Backup> last = Optional.empty();

    PatroniBackups(Function<String, PatroniHome> homes, PatroniFiles files, RunAs user, PatroniStore store) {
        this.homes = homes;
        this.files = files;
        this.user = user;
        this.store = store;
    }

    @Override
    public Optional<Backup> lastBackup() {
        return last.filter(backup -> Files.isRegularFile(backup.path().resolve("backup_manifest")));
    }

    @Override
    public void checkPutBack(Backup backup) {
        homes.apply(backup.node()).program("postgres");
        if (PidFile.running(files.pid(PatroniFiles.ETCD)).isEmpty()) {
            throw new NodeControlException(
                    PatroniFiles.ETCD + " is down, without which nothing can be restored; start it first");
        }
        store.check();
    }

    @Override
    public void backUp(String node) {
        last = Optional.empty();
        Path to = files.home(node).resolve("backup-" + System.nanoTime());
        NodeIo.run("the backup of " + node + " failed", () -> {
            PatroniHome home = homes.apply(node);
            PatroniConfig.Replication with = PatroniConfig.replication(files.configuration(node));
            run(
                    home,
                    "the backup of " + node,
                    Map.of("PGPASSWORD", with.password()),
                    home.program("pg_basebackup"),
                    "--host=" + with.host(),
                    "--port=" + with.port(),
                    "--username=" + with.user(),
                    "--pgdata=" + to,
                    "--checkpoint=fast",
                    "--wal-method=stream",
                    "--no-password");
        });
        last = Optional.of(new Backup(node, to));
    }

    /** The server itself recovers the copy to the end of the backup, so that Patroni finds one that was shut down. */
    @Override
    public boolean putBack(Backup backup) {
        Path data = files.data(backup.node());
        String what = "the restore of " + backup.node();
        PatroniHome home = homes.apply(backup.node());
        NodeIo.run(what + " failed", () -> {
            OwnedDirectory.deletePart(data); // the servers' user makes it anew
            run(home, what, Map.of(), "cp", "-a", backup.path().toString(), data.toString());
            for (String role : List.of("standby.signal", "recovery.signal")) {
                Files.deleteIfExists(data.resolve(role));
            }
            run(home, what, Map.of(), home.program("postgres"), "--single", "-D", data.toString(), "template1");
        });
        store.forgetCluster();
        return false;
    }

    private void run(PatroniHome home, String what, Map<String, String> variables, String... command)
            throws IOException {
        List<String> line = new ArrayList<>(user.prefix());
        line.addAll(Launcher.endingWithItsStarter());
        line.addAll(List.of(command));
        ProgramOutput output = ProgramOutput.of(
                line,
                environment -> {
                    environment.keySet().removeIf(name -> name.startsWith("PG"));
                    environment.putAll(home.environment(environment));
                    environment.put("LC_ALL", "C.UTF-8");
                    environment.putAll(variables);
                },
                BOUND);
        if (output.exit() != 0) {
            throw new NodeControlException(what + " ended with exit status " + output.exit() + "; it printed: \""
                    + output.text().strip() + "\"");
        }
    }
}
