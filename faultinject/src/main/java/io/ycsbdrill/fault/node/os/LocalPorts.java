package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NotOursException;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses ports of the loopback interface for the servers of a local cluster, and remembers them: a server that starts later, or is
 * down for a while, leaves its port free, and another cluster on this machine must not take it. Thread-safe, among processes too.
 */
public final class LocalPorts {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    /** Lines of a port and the directory of its cluster. */
    private static final String RESERVED = "ports";

    private static final Duration LOCK_BOUND = Duration.ofSeconds(10);

    private LocalPorts() {}

    /** Whether the servers of a local cluster find ports, and find them again, for {@code ycsb doctor}; none is reserved. */
    public static Finding diagnose(int count) {
        return diagnose(count, Io.or("", () -> Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))));
    }

    /** @param outgoing the first and the last port that the kernel gives to outgoing connections; may be blank */
    static Finding diagnose(int count, String outgoing) {
        try {
            unused(count, Map.of());
            String free =
                    "ports " + FIRST + " to " + (END - 1) + ": at least " + count + " are free for a local cluster";
            String[] range = outgoing.strip().split("\\s+");
            return range.length < 2 || Integer.parseInt(range[0]) >= END || Integer.parseInt(range[1]) < FIRST
                    ? Finding.ok(free)
                    : Finding.note(free + ", but outgoing connections use ports " + range[0] + " to " + range[1]
                            + ", too: a node that is down may find its port taken when it starts again; keep them apart:"
                            + " sysctl -w net.ipv4.ip_local_port_range=\"" + END + " 60999\"");
        } catch (IOException | NodeControlException e) {
            return Finding.note("a local cluster cannot be started: " + e.getMessage());
        }
    }

    /**
     * Free ports below the range from which the kernel takes those of outgoing connections. Other clusters of this user do not get
     * them for as long as the cluster's directory exists, which is made here if need be.
     *
     * @param cluster the directory of the cluster whose servers use them
     * @throws NodeControlException when too few are free
     */
    public static List<Integer> free(int count, Path cluster) throws IOException {
        return free(count, cluster, folder().resolve(RESERVED));
    }

    /** The user's own, whatever state directory a command is given: clusters of all of them share the machine's ports. */
    private static Path folder() throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        Path given = ClusterDirectory.of(environment).home("local");
        environment.remove("YCSB_DRILL_STATE");
        Path own = ClusterDirectory.of(environment).home("local");
        try {
            return ownFolder(own);
        } catch (FileSystemException e) {
            return ownFolder(given); // a home that cannot be written, as in some containers
        }
    }

    static Path ownFolder(Path folder) throws IOException {
        try {
            return PrivateFolders.forOwner(folder);
        } catch (NotOursException e) {
            throw new NodeControlException(e.getMessage(), e);
        }
    }

    /** @param reserved the file that remembers */
    static synchronized List<Integer> free(int count, Path cluster, Path reserved) throws IOException {
        Path owner = Files.createDirectories(cluster).toRealPath();
        try (FileChannel file = FileChannel.open(
                reserved,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
            lock(file, reserved, LOCK_BOUND); // until it is closed
            Map<Integer, String> owners = living(file);
            List<Integer> found = unused(count, owners);
            found.forEach(port -> owners.put(port, owner.toString()));
            StringBuilder lines = new StringBuilder();
            owners.forEach((port, directory) ->
                    lines.append(port).append(' ').append(directory).append('\n'));
            file.truncate(0);
            file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)), 0);
            return found;
        }
    }

    static void lock(FileChannel file, Path reserved, Duration bound) throws IOException {
        NodeLocks.await(
                bound,
                () -> {
                    try {
                        return file.tryLock() != null;
                    } catch (OverlappingFileLockException e) {
                        return false; // held elsewhere in this process
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                () -> reserved + ", the record of local clusters' ports, has been locked by another process for "
                        + bound.toMillis() + " ms; see which: fuser -v " + reserved);
    }

    /** The ports whose cluster is there, with its directory. */
    private static Map<Integer, String> living(FileChannel file) throws IOException {
        Map<Integer, String> owners = new TreeMap<>();
        String text = new String(Channels.newInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            String[] parts = line.split(" ", 2);
            if (parts.length == 2 && parts[0].matches("\\d{1,5}") && Files.isDirectory(Path.of(parts[1]))) {
                owners.put(Integer.parseInt(parts[0]), parts[1]);
            }
        }
        return owners;
    }

    /** All are held at once, so that they differ. */
    private static List<Integer> unused(int count, Map<Integer, String> owners) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < count && tries < 2_000; tries++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST, END);
                if (owners.containsKey(port)) {
                    continue;
                }
                try {
                    held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                } catch (BindException e) {
                    // taken: another one
                }
            }
            if (held.size() < count) {
                throw new NodeControlException("no " + count + " free ports between " + FIRST + " and " + END
                        + " on the loopback interface; see which are used: ss -ltn");
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }
}
