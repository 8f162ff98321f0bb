package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Starts the servers of a local cluster and finds their processes again by their pid files. Each node is one process, the
 * leader of a session. Thread-safe as far as callers keep to one operation per node.
 *
 * @param heap of each server, for example {@code 512M}
 */
record CrateDbPrograms(CrateDbFiles files, RunAs user, String heap) {

    /** Starts the node and returns its process. */
    Process start(String node) {
        List<String> command = new ArrayList<>(MemoryGroups.enter(files.directory(), node));
        command.addAll(IsolatedNetwork.into(files.directory(), node));
        command.addAll(user.prefix());
        command.add(files.home().resolve("bin/crate").toString());
        command.add("-Cpath.conf=" + files.configuration(node));
        try {
            Files.createDirectories(files.data(node));
            user.own(files.node(node));
            return Launcher.start(
                    command,
                    files.node(node),
                    files.output(node),
                    files.pid(node),
                    List.of("java"),
                    this::setEnvironment);
        } catch (IOException e) {
            throw new NodeControlException("cannot start " + node + ": " + e.getMessage(), e);
        }
    }

    private void setEnvironment(Map<String, String> environment) {
        // Our own options only, whatever the user keeps for other servers.
        environment.keySet().removeIf(name -> name.startsWith("CRATE_") || name.equals("JAVA_OPTS"));
        environment.put("CRATE_HEAP_SIZE", heap.toLowerCase(Locale.ROOT));
        environment.put("CRATE_DISABLE_GC_LOGGING", "1");
    }

    /** The node's process; empty when it is not running. */
    Optional<OsProcess> process(String node) {
        return OsProcess.recorded(files.pid(node));
    }

    /** The last lines of a node's logs and their paths. */
    String lastWords(String node) {
        return "last lines: " + LogTail.quoted(files.log(node), 5) + "; it printed: "
                + LogTail.quoted(files.output(node), 3);
    }
}
