package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.Impairable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands between the nodes of a local cluster and their files, in the folder {@code disk} of the cluster's directory: a small
 * library ({@code disk.c}), compiled there and loaded before the C library of each node, and for each node a file that both sides
 * map, by which the library is told what to do. With a journal, a folder for each node has what it has written and not synced. A trouble outlives the process that has put it in force. Thread-safe.
 */
public final class DiskShim implements Impairable {
    /** The option of {@code cluster up}. */
    public static final Option OPTION = new Option(
            "disk-faults",
            "false",
            "load a library into each data node through which drills make its disk slow, stall, fail or full; needs a C"
                    + " compiler (cc)");

    /** The option of {@code cluster up}. */
    public static final Option POWER_LOSS = new Option(
            "power-loss",
            "false",
            "as --disk-faults, and record each write until it is synced, so that drills can cut the power of a data node");

    /** For the kit: disks can be impaired. */
    public static final SandboxFeature FEATURE = new SandboxFeature() {
        @Override
        public List<Option> options() {
            return List.of(OPTION);
        }

        @Override
        public void make(Ground ground) {
            prepare(ground.cluster());
        }

        @Override
        public void environment(Path cluster, String node, Path data, Map<String, String> environment) {
            preload(cluster, node, data, environment);
        }

        @Override
        public Optional<?> attach(SandboxedNodes nodes) {
            return of(nodes.directory());
        }
    };

    /** For the kit: what was not synced is known, so that a power loss can take it. */
    public static final SandboxFeature JOURNAL = new SandboxFeature() {
        @Override
        public List<Option> options() {
            return List.of(POWER_LOSS);
        }

        @Override
        public void make(Ground ground) {
            prepareWithJournal(ground.cluster());
        }

        @Override
        public Optional<?> attach(SandboxedNodes nodes) {
            return journaled(nodes.directory()).map(shim -> new PowerSwitch(shim, nodes));
        }
    };

    // The places in the control file, as struct control of disk.c has them.
    private static final int TROUBLE = 0;
    private static final int LATENCY = 8;
    private static final int JITTER = 16;
    private static final int AFFECTED = 24;
    private static final int FIRST_NANOS = 32;
    private static final int FIRST_CALL = 40;
    private static final int SPARED = 44;
    private static final int UNFOLLOWED = 48;
    private static final int GENERATIONS = 56;
    private static final int STRIPES = 64;
    private static final int SIZE = GENERATIONS + STRIPES * Long.BYTES;

    /** By the number that the library notes. */
    private static final List<String> CALLS =
            List.of("a write", "a sync", "an allocation of space", "an asynchronous write");

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Preloaded files;

    private DiskShim(Path cluster) {
        files = new Preloaded(cluster, "disk", "--" + OPTION.name(), SIZE);
    }

    /** That of a cluster which was started with it; empty when the cluster was not. */
    public static Optional<DiskShim> of(Path cluster) {
        DiskShim shim = new DiskShim(cluster);
        return shim.files.exists() ? Optional.of(shim) : Optional.empty();
    }

    /** That of a cluster which was started with its journal; empty when the cluster was not. */
    static Optional<DiskShim> journaled(Path cluster) {
        return of(cluster).filter(shim -> Files.isDirectory(shim.journals()));
    }

    /** Makes the library of a cluster that has none yet. */
    private static void prepare(Path cluster) {
        if (of(cluster).isEmpty()) {
            new DiskShim(cluster).files.compile();
        }
    }

    /** Prepares the journal as well. */
    private static void prepareWithJournal(Path cluster) {
        prepare(cluster);
        Path journals = new DiskShim(cluster).journals();
        NodeIo.run(journals + " cannot be made", () -> Files.createDirectory(journals));
    }

    /**
     * Has a node that is about to be started load the library; does nothing when the cluster was started without it.
     *
     * @param cluster the cluster's directory
     * @param data what the node writes below this directory is concerned
     * @param environment of the node's process
     * @throws NodeControlException when the node's control file cannot be made, or a power loss cannot be completed
     */
    static void preload(Path cluster, String node, Path data, Map<String, String> environment) {
        of(cluster).ifPresent(shim -> {
            NodeIo.run("disk faults of " + node + " cannot be prepared", () -> {
                shim.files.load(node, data, environment);
                environment.put("YCSB_DISK_ROOT", data.toRealPath().toString());
                if (Files.isDirectory(shim.journals())) {
                    shim.prepareJournal(node, data.toRealPath());
                    environment.put("YCSB_DISK_UNDO", shim.journal(node).toString());
                }
            });
        });
    }

    /** Completes a power loss that was cut short, and begins a new generation, as a record may have been cut short, too. */
    private void prepareJournal(String node, Path data) throws IOException {
        Files.createDirectories(journal(node));
        Files.writeString(root(node), data.toString());
        if (Files.exists(rollingBack(node))) {
            rollBack(node);
        }
        new UndoJournal(journal(node), data).prune();
        ByteBuffer control = files.map(node);
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            LONG.getAndAdd(control, GENERATIONS + stripe * Long.BYTES, 1L);
        }
    }

    /** Takes back what a node that has no process any more has written and not synced. */
    UndoJournal.Loss rollBack(String node) {
        return NodeIo.get("what " + node + " had not synced cannot be taken from its files", () -> {
            // Half of it would be a state in which no disk ever was: who starts the node next completes it.
            if (!Files.exists(rollingBack(node))) {
                Instant since = Instant.now().minus(UndoJournal.writeBack());
                AtomicFile.write(rollingBack(node), since.toString());
            }
            Instant since = Instant.parse(Files.readString(rollingBack(node)).strip());
            UndoJournal.Loss loss = new UndoJournal(journal(node), data(node)).rollBack(since);
            Files.delete(rollingBack(node));
            return loss;
        });
    }

    /** Why a node's journal is not complete, as its library has noted; empty when it is. */
    Optional<String> unfollowed(String node) {
        int noted = (int) WORD.getVolatile(files.map(node), UNFOLLOWED);
        return noted == 0 ? Optional.empty() : Optional.of(UndoJournal.UNFOLLOWED.get(noted));
    }

    /** The directory whose files are concerned, without symbolic links. */
    Path data(String node) {
        try {
            return Path.of(Files.readString(root(node)));
        } catch (IOException e) {
            throw new NodeControlException("node " + node + " was never started with --" + POWER_LOSS.name(), e);
        }
    }

    @Override
    public void impair(String node, DiskTrouble trouble) {
        ByteBuffer control = files.map(node);
        WORD.setVolatile(control, TROUBLE, 0);
        LONG.setVolatile(control, LATENCY, micros(trouble.latency()));
        LONG.setVolatile(control, JITTER, micros(trouble.jitter()));
        LONG.setVolatile(control, AFFECTED, 0L);
        LONG.setVolatile(control, FIRST_NANOS, 0L);
        WORD.setVolatile(control, SPARED, 0);
        WORD.setVolatile(control, TROUBLE, code(trouble));
    }

    @Override
    public Sight look(String node, DiskTrouble trouble) {
        ByteBuffer control = files.map(node);
        long first = (long) LONG.getVolatile(control, FIRST_NANOS);
        long affected = (long) LONG.getVolatile(control, AFFECTED);
        int spared = (int) WORD.getVolatile(control, SPARED);
        if ((int) WORD.getVolatile(control, TROUBLE) != code(trouble)) {
            return new Sight(false, trouble.kind().fault() + " is not in force on " + node);
        }
        if (first == 0 || affected == 0) {
            return new Sight(
                    false,
                    node + " has made no call that " + trouble.kind().fault() + " concerns"
                            + (spared == 0
                                    ? ""
                                    : "; " + spared + (spared == 1 ? " write" : " writes")
                                            + " stayed within the file"));
        }
        String call = CALLS.get((int) WORD.getVolatile(control, FIRST_CALL));
        return new Sight(
                true,
                call + " of " + node + " met it at " + time(first) + ", " + affected
                        + (affected == 1 ? " call" : " calls") + " by now");
    }

    @Override
    public void restore(String node, DiskTrouble trouble) {
        if (Files.exists(files.control(node))) {
            WORD.compareAndSet(files.map(node), TROUBLE, code(trouble), 0);
        }
    }

    @Override
    public void restoreAll() {
        files.mapAll().forEach(control -> WORD.setVolatile(control, TROUBLE, 0));
    }

    /** The library itself. */
    Path library() {
        return files.library();
    }

    private Path journals() {
        return files.folder().resolve("undo");
    }

    Path journal(String node) {
        return journals().resolve(node);
    }

    private Path root(String node) {
        return files.folder().resolve(node + ".root");
    }

    /** Is there while a power loss is brought about. */
    private Path rollingBack(String node) {
        return files.folder().resolve(node + ".power-loss");
    }

    /** Zero is no trouble. */
    private static int code(DiskTrouble trouble) {
        return trouble.kind().ordinal() + 1;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    private static String time(long nanosSinceEpoch) {
        return DateTimeFormatter.ISO_LOCAL_TIME
                        .withZone(ZoneOffset.UTC)
                        .format(Instant.ofEpochSecond(0, nanosSinceEpoch).truncatedTo(ChronoUnit.MILLIS))
                + "Z";
    }
}
