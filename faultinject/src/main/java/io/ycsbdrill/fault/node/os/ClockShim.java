package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands between the nodes of a local cluster and the machine's clock, in the folder {@code clock} of the cluster's directory: a
 * small library ({@code clock.c}) in each of their processes. The machine's own clock is never touched. Thread-safe.
 */
public final class ClockShim implements Deceivable {
    /** The option of {@code cluster up}. */
    public static final Option OPTION = new Option(
            "clock-faults",
            "false",
            "load a library into each data node through which drills make its clock jump, run fast or slow; needs a C"
                    + " compiler (cc)");

    /** For the kit: nodes can be told a wrong time. */
    public static final SandboxFeature FEATURE = new SandboxFeature() {
        @Override
        public List<Option> options() {
            return List.of(OPTION);
        }

        @Override
        public void make(Ground ground) {
            files(ground.cluster()).compile();
        }

        @Override
        public void environment(Path cluster, String node, Path data, Map<String, String> environment) {
            if (files(cluster).exists()) {
                NodeIo.run("clock faults of " + node + " cannot be prepared", () -> files(cluster)
                        .load(node, data, environment));
            }
        }

        @Override
        public Optional<?> attach(SandboxedNodes nodes) {
            return files(nodes.directory()).exists() ? Optional.of(new ClockShim(nodes)) : Optional.empty();
        }
    };

    // The places in the control file, as struct control of clock.c has them.
    private static final int TROUBLE = 0;
    private static final int AHEAD = 8;
    private static final int PPM = 16;
    private static final int PERIOD = 24;
    private static final int SINCE = 32;
    private static final int AFFECTED = 40;
    private static final int RIGHT = 48;
    private static final int TOLD = 56;
    private static final int PROGRAM = 64;
    private static final int ENDED = 72;
    private static final int SIZE = 80;

    /** Lines are read this long after they were written at the latest. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final SandboxedNodes nodes;
    private final Preloaded files;

    private ClockShim(SandboxedNodes nodes) {
        this.nodes = nodes;
        files = files(nodes.directory());
    }

    private static Preloaded files(Path cluster) {
        return new Preloaded(cluster, "clock", "--" + OPTION.name(), SIZE);
    }

    /**
     * When a line was written that has just been read: its stamp, unless the node's clock is wrong, or was until lately; then it is when
     * it was read, which is some milliseconds later.
     */
    public static Instant written(Path cluster, String node, Instant stamp, Instant read) {
        Preloaded files = files(cluster);
        if (!Files.exists(files.control(node))) {
            return stamp;
        }
        ByteBuffer control = files.map(node);
        boolean wrong = (int) WORD.getVolatile(control, TROUBLE) != 0
                || read.isBefore(time(control, ENDED).plus(LATE));
        return wrong ? read : stamp;
    }

    @Override
    public Optional<String> deaf() {
        return files.nodes().stream().flatMap(node -> deaf(node).stream()).findFirst();
    }

    /** Why a node would not hear; empty when it would, or has no process that could be asked. */
    private Optional<String> deaf(String node) {
        return nodes.process(node).flatMap(process -> {
            try {
                return files.loadedBy(process)
                        ? Optional.empty()
                        : Optional.of("node " + node + " (pid " + process.pid() + ") has not loaded " + files.library()
                                + ": a program that is linked statically, as those made by Go are, asks the kernel itself"
                                + " and cannot be told a wrong time");
            } catch (IOException e) {
                return Optional.of("node " + node + " (pid " + process.pid() + "): its libraries cannot be listed: "
                        + e.getMessage());
            }
        });
    }

    @Override
    public void deceive(String node, Clock clock) {
        deaf(node).ifPresent(why -> {
            throw new NodeControlException(why);
        });
        ByteBuffer control = files.map(node);
        boolean skew = clock.kind() == Clock.Kind.SKEW;
        Instant now = Instant.now();
        WORD.setVolatile(control, TROUBLE, 0);
        LONG.setVolatile(control, AHEAD, skew ? 0 : clock.ahead().toNanos());
        LONG.setVolatile(control, PPM, skew ? clock.ahead().toNanos() / 1000 : 0);
        LONG.setVolatile(control, PERIOD, clock.period().toNanos());
        LONG.setVolatile(control, SINCE, Duration.between(Instant.EPOCH, now).toNanos());
        LONG.setVolatile(control, AFFECTED, 0L);
        learnProgram(node, control);
        WORD.setVolatile(control, TROUBLE, 1);
    }

    @Override
    public Sight look(String node, Clock clock) {
        ByteBuffer control = files.map(node);
        if ((int) WORD.getVolatile(control, TROUBLE) == 0) {
            return new Sight(false, "the clock of " + node + " is right");
        }
        learnProgram(node, control);
        long affected = (long) LONG.getVolatile(control, AFFECTED);
        if (affected == 0) {
            return new Sight(false, node + " has not asked for the time since its clock is " + clock.text());
        }
        Instant right = time(control, RIGHT);
        Instant told = time(control, TOLD);
        return new Sight(
                true,
                node + " was told " + told + " at " + right + ", " + affected
                        + (affected == 1 ? " wrong time" : " wrong times") + " by now; its clock is " + clock.text());
    }

    /** What the node's server is told counts, and not what is told to a program that it starts. */
    private void learnProgram(String node, ByteBuffer control) {
        nodes.process(node).ifPresent(process -> {
            try {
                LONG.setVolatile(control, PROGRAM, (long)
                        Files.getAttribute(Path.of("/proc", Long.toString(process.pid()), "exe"), "unix:ino"));
            } catch (IOException e) {
                // It has just ended; the next one is asked.
            }
        });
    }

    /** In this order: a line that is read in between is dated by that. */
    private static void correct(ByteBuffer control) {
        if ((int) WORD.getVolatile(control, TROUBLE) != 0) {
            LONG.setVolatile(
                    control,
                    ENDED,
                    Duration.between(Instant.EPOCH, Instant.now()).toNanos());
            WORD.setVolatile(control, TROUBLE, 0);
        }
    }

    private static Instant time(ByteBuffer control, int place) {
        return Instant.ofEpochSecond(0, (long) LONG.getVolatile(control, place));
    }

    @Override
    public void correct(String node) {
        if (Files.exists(files.control(node))) {
            correct(files.map(node));
        }
    }

    @Override
    public void correctAll() {
        files.mapAll().forEach(ClockShim::correct);
    }
}
