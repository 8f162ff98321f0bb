package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.PidFile;
import java.nio.file.Path;
import java.time.Duration;

/** The PostgreSQL that a node had before. Stateless. */
final class FormerServer {
    /** Process 1 of some machines looks for ended children every second or so. */
    private static final Duration COLLECTED_BOUND = Duration.ofSeconds(20);

    /**
     * PostgreSQL does not start while its lock files name a process that the kernel lists. Patroni would take that for a crash and
     * recover a copy by itself, which then has what no primary has written, and never follows one.
     */
    static void awaitCollected(String node, Path pidFile) {
        PidFile.read(pidFile)
                .ifPresent(former -> NodeLocks.await(
                        COLLECTED_BOUND,
                        () -> former.alive() || !former.listed(), // one that runs is taken over
                        () -> "PostgreSQL of " + node + ", process " + former.pid()
                                + ", has ended, but its parent has not"
                                + " collected it after " + COLLECTED_BOUND.toSeconds() + " s, and no other one starts"
                                + " before; in a container, let process 1 be an init (--init)"));
    }
}
