package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.time.Instant;
import java.util.Optional;

/** Damages files of a node that is down; the record of that ends when an initial start removes them. A capability of a {@code NodeController}; thread-safe. */
public interface Damageable {

    /**
     * Whether there are such files.
     *
     * @throws NodeControlException when none of the node is to be damaged, or they may not be
     */
    void check(String node, Damage damage);

    /**
     * Damages files in the node's own data directory, other than before, and records what is changed before that.
     *
     * @throws NodeControlException when the node has a process, no file is to be damaged, or it cannot be done
     */
    void damage(String node, Damage damage);

    /**
     * Looks, in the files, whether all that was changed last is changed.
     *
     * @throws NodeControlException when they cannot be read
     */
    Sight lookForDamage(String node);

    /** Since when files of the node are damaged; empty when none was, or an initial start has removed them since. */
    Optional<Instant> damagedSince(String node);

    /** Reports that the node does not come up with its files, and is started empty. */
    void givenUp(String node, String why);

    /**
     * What is done to files.
     *
     * @param kind how
     * @param count how many bits are flipped, or files cut; positive
     * @param files a pattern for the paths below the data directory, of which those are drawn: {@code **.ibd}
     * @param seed the same one draws the same, of the same files
     */
    record Damage(Kind kind, int count, String files, long seed) {
        public Damage {
            if (count < 1) {
                throw new IllegalArgumentException("count " + count + " is not positive");
            }
        }

        /** How files are damaged. */
        public enum Kind {
            /** Bits are flipped: a disk, or a controller, that returns something else than it was given. */
            FLIP("bit-flip"),
            /** Files lose their second half: a file system that was repaired. */
            TRUNCATE("truncate");

            private final String fault;

            Kind(String fault) {
                this.fault = fault;
            }

            /** The name of the fault. */
            public String fault() {
                return fault;
            }
        }
    }
}
