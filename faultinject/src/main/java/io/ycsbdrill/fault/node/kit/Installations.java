package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.ProgramTree;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * From which installation each program of a local cluster is started, kept in the cluster's directory so that every process
 * that controls the cluster agrees. Thread-safe.
 */
public final class Installations {
    private final Path file;
    private final Path first;

    /**
     * Those of a cluster.
     *
     * @param directory the cluster's
     * @param first the installation with which it was made
     */
    public Installations(Path directory, Path first) {
        this.file = directory.resolve("installations");
        this.first = first;
    }

    /** That of the program or node. */
    public synchronized Path of(String program) {
        return read().getOrDefault(program, first);
    }

    /**
     * From now on the program is started from there.
     *
     * @return sets it back
     */
    public synchronized Runnable set(String program, Path home) {
        Path former = of(program);
        write(program, home);
        return () -> write(program, former);
    }

    /** @throws NodeControlException when the program is started from there already, so that nothing would be changed */
    public void requireOther(String program, Path home) {
        if (same(of(program), home)) {
            throw new NodeControlException(program + " runs from " + home + " already");
        }
    }

    private synchronized void write(String program, Path home) {
        Map<String, Path> all = new TreeMap<>(read());
        all.put(program, home);
        NodeIo.run(
                file + " cannot be written",
                () -> AtomicFile.write(
                        file,
                        all.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                                .collect(Collectors.joining())));
    }

    private Map<String, Path> read() {
        List<String> lines = NodeIo.get(
                file + " cannot be read", () -> Files.notExists(file) ? List.of() : Files.readAllLines(file));
        return lines.stream()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(line -> line[0], line -> Path.of(line[1])));
    }

    /**
     * Why nodes cannot be moved onto an installation.
     *
     * @param missing what it lacks, as readable names
     * @param version its version as 9.7.2; empty when it cannot be found out
     * @param running that of the nodes now; empty likewise
     * @param nodes of the cluster
     */
    public List<String> refusals(
            Path home, List<String> missing, Optional<String> version, Optional<String> running, List<String> nodes) {
        List<String> refusals = new ArrayList<>();
        if (!Files.isDirectory(home)) {
            return List.of("home: there is no folder " + home + "; give that of an installation");
        }
        if (!missing.isEmpty()) {
            return List.of("home: " + home + " is not a complete installation: missing " + String.join(", ", missing));
        }
        if (nodes.stream().allMatch(node -> same(of(node), home))) {
            refusals.add("home: every node runs from " + home + " already, so nothing would be changed");
        }
        if (version.isEmpty() || running.isEmpty()) {
            refusals.add("home: the version of " + (version.isEmpty() ? home : "the nodes") + " cannot be found out");
        } else if (ProgramTree.versionKey(version.get()).compareTo(ProgramTree.versionKey(running.get())) < 0) {
            refusals.add("home: " + home + " is version " + version.get() + ", older than " + running.get()
                    + ", which the nodes run: a downgrade may make their data unreadable");
        }
        return refusals;
    }

    private static boolean same(Path one, Path other) {
        return Io.or(false, () -> one.toRealPath().equals(other.toRealPath()));
    }

    /** Whether the node's process, empty when it is down, is a program of the installation. */
    public static Sight look(String node, Optional<OsProcess> process, Path home) {
        Optional<Path> program = process.flatMap(OsProcess::program);
        if (program.isEmpty()) {
            return new Sight(false, node + " has no process");
        }
        return NodeIo.get(
                home + " cannot be read",
                () -> new Sight(program.get().startsWith(home.toRealPath()), node + " runs " + program.get()));
    }
}
