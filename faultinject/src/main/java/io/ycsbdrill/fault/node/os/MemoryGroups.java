package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control groups, one for each data node of a local cluster, in which the kernel counts and limits the node's memory. A
 * node is in its group from its start on: memory that a process has already is not counted in a group that it enters later.
 * Both kinds of control groups will do. Thread-safe.
 */
public final class MemoryGroups implements Squeezable {
    /** The option of {@code cluster up}. */
    public static final Option OPTION = new Option(
            "memory-faults",
            "false",
            "start each data node in a memory control group of its own, so that drills can take memory from it; needs a"
                    + " memory cgroup in which this user may make groups, as root may");

    /** For the kit, which attaches it to every engine. */
    public static final SandboxFeature FEATURE = new SandboxFeature() {
        @Override
        public List<Option> options() {
            return List.of(OPTION);
        }

        @Override
        public void make(Ground ground) {
            MemoryGroups.make(ground.cluster(), MOUNT);
        }

        @Override
        public List<String> enter(Path cluster, String node) {
            return of(cluster).map(groups -> groups.enter(node)).orElse(List.of());
        }

        @Override
        public Optional<?> attach(SandboxedNodes nodes) {
            return of(nodes.directory());
        }

        @Override
        public void end(Path cluster) {
            remove(cluster);
        }
    };

    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int REMOVALS = 50;

    private final Path folder;
    private final Path root;
    private final boolean second;
    /** How often each node had met its limit when it was set. */
    private final Map<String, Long> before = new HashMap<>();

    private MemoryGroups(Path folder) throws IOException {
        this.folder = folder;
        List<String> lines = Files.readAllLines(file(folder));
        this.second = lines.get(0).equals("2");
        this.root = Path.of(lines.get(1));
    }

    private static Path file(Path cluster) {
        return cluster.resolve("memory-cgroup");
    }

    /** Those of a cluster which was started with them; empty when the cluster was not. */
    static Optional<MemoryGroups> of(Path cluster) {
        return NodeIo.get(
                file(cluster) + " cannot be read",
                () -> Files.exists(file(cluster)) ? Optional.of(new MemoryGroups(cluster)) : Optional.empty());
    }

    /**
     * Makes the group in which those of the nodes will be, before the first node is started.
     *
     * @param cluster the cluster's directory, which is there
     * @throws NodeControlException when this machine has no memory cgroup in which groups can be made
     */
    static void make(Path cluster, Path mount) {
        boolean first = Files.isRegularFile(mount.resolve("memory/memory.limit_in_bytes"));
        String why = "there is no memory controller in " + mount;
        String name = "ycsb-drill-" + ProcessHandle.current().pid() + "-" + Long.toString(System.nanoTime(), 36);
        try {
            Path parent = first ? mount.resolve("memory") : mount;
            boolean has = first
                    || Files.isRegularFile(mount.resolve("cgroup.controllers"))
                            && Files.readString(mount.resolve("cgroup.controllers"))
                                    .contains("memory");
            if (has) {
                Path root = parent.resolve(name);
                Files.createDirectory(root);
                // Recorded before anything is in it, so that whoever takes the cluster down finds it.
                Files.writeString(file(cluster), (first ? "1" : "2") + "\n" + root + "\n");
                if (!first) {
                    Files.writeString(root.resolve("cgroup.subtree_control"), "+memory");
                }
                return;
            }
        } catch (IOException e) {
            why = FileReason.of(e, "");
            remove(cluster);
        }
        throw new NodeControlException(
                "--" + OPTION.name() + " needs a memory cgroup in which this user may make groups"
                        + " (root usually may; in a container it must be mounted writable): " + why
                        + "; leave the option out, or run as a user who may");
    }

    /**
     * What to put before a node's command so that it runs in the node's group.
     *
     * @throws NodeControlException when the group cannot be made
     */
    List<String> enter(String node) {
        NodeIo.run("the memory group of " + node + " cannot be made", () -> Files.createDirectories(group(node)));
        // The shell becomes the node, and has its place in the group then.
        return List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                group(node).resolve("cgroup.procs").toString());
    }

    /** Removes the groups of a cluster whose processes have ended; does nothing when there are none. */
    static void remove(Path cluster) {
        of(cluster).ifPresent(MemoryGroups::remove);
    }

    private void remove() {
        try (Stream<Path> all = Files.exists(root) ? Files.list(root) : Stream.of()) {
            for (Path group : Stream.concat(all.filter(Files::isDirectory), Stream.of(root))
                    .toList()) {
                removeGroup(group);
            }
        } catch (IOException e) {
            throw new NodeControlException("memory group " + root + " cannot be removed: " + FileReason.of(e), e);
        }
    }

    /** A process that has just ended is in its group for a moment yet. */
    private static void removeGroup(Path group) throws IOException {
        for (int i = 1; ; i++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (FileSystemException e) {
                if (i == REMOVALS) {
                    throw e;
                }
            }
            NodeLocks.pause(Duration.ofMillis(20));
        }
    }

    private Path group(String node) {
        return root.resolve(node);
    }

    private Path limit(String node) {
        return group(node).resolve(second ? "memory.max" : "memory.limit_in_bytes");
    }

    private long usage(String node) throws IOException {
        return number(group(node).resolve(second ? "memory.current" : "memory.usage_in_bytes"));
    }

    /** How often an allocation has met the limit. */
    private long met(String node) throws IOException {
        if (!second) {
            return number(group(node).resolve("memory.failcnt"));
        }
        return Files.readAllLines(group(node).resolve("memory.events")).stream()
                .filter(line -> line.startsWith("max "))
                .mapToLong(line -> Long.parseLong(line.substring("max ".length())))
                .sum();
    }

    private static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }

    @Override
    public synchronized void squeeze(String node, double share) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
        String possible = possible(node); // a try that fails frees what it can
        try {
            if (Files.readString(group(node).resolve("cgroup.procs")).isBlank()) {
                throw new NodeControlException(node + " has no process whose memory could be limited");
            }
            long bytes = (long) (usage(node) * share);
            before.put(node, met(node));
            Files.writeString(limit(node), Long.toString(bytes));
        } catch (IOException e) {
            boolean interrupted = Thread.interrupted();
            release(node);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            throw new NodeControlException(
                    "the memory of " + node + " cannot be limited to " + percent(share)
                            + " of what it has in use, as the kernel cannot make so much free; " + possible + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** What share the kernel may grant now. */
    private String possible(String node) {
        try {
            long used = usage(node);
            long cached = Files.readAllLines(group(node).resolve("memory.stat")).stream()
                    .filter(line -> line.matches("(in)?active_file \\d+"))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
            long least = (100 * (used - cached) + used - 1) / used;
            return "without swap only cached files can be, " + cached / 1024 + " of " + used / 1024
                    + " KiB: take a share of " + Math.min(99, least + 1) + "% or more";
        } catch (IOException | ArithmeticException e) {
            return "without swap only cached files can be: take a larger share";
        }
    }

    private static String percent(double share) {
        return Formatted.of("%.0f%%", share * 100);
    }

    @Override
    public synchronized Sight lookForPressure(String node) {
        if (!before.containsKey(node)) {
            return new Sight(false, "the memory of " + node + " is not limited");
        }
        return NodeIo.get("the memory group of " + node + " cannot be read", () -> {
            long times = met(node) - before.get(node);
            String limit = Files.readString(limit(node)).strip();
            return new Sight(
                    times > 0,
                    node + " has met its memory limit of " + limit + " bytes "
                            + (times == 1 ? "once" : times + " times"));
        });
    }

    @Override
    public synchronized void release(String node) {
        before.remove(node);
        NodeIo.run("the memory limit of " + node + " cannot be lifted", () -> {
            if (Files.exists(limit(node))) {
                Files.writeString(limit(node), second ? "max" : "-1");
            }
        });
    }

    @Override
    public void releaseAll() {
        try (Stream<Path> all = Files.exists(root) ? Files.list(root) : Stream.of()) {
            all.filter(Files::isDirectory)
                    .map(group -> group.getFileName().toString())
                    .forEach(this::release);
        } catch (IOException e) {
            throw new NodeControlException(
                    "the memory groups in " + root + " cannot be listed: " + FileReason.of(e), e);
        }
    }

    @Override
    public String toString() {
        return "memory groups of " + folder + " in " + root;
    }
}
