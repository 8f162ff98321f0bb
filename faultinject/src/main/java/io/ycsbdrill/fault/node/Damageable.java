package io.ycsbdrill.fault.node;

/** Damages files of a node that is down. A capability of a {@code NodeController}; thread-safe. */
public interface Damageable {

    /**
     * Damages files in the node's own data directory, and records what was changed before that.
     *
     * @throws NodeControlException when the node has a process, no file is to be damaged, or it cannot be done
     */
    void damage(String node, Damage damage);

    /**
     * Looks, in the files, whether what was changed last is changed.
     *
     * @throws NodeControlException when they cannot be read
     */
    Sight lookForDamage(String node);

    /** Whether files of the node were damaged and not replaced since. */
    boolean isDamaged(String node);

    /** To be called when all files of the node were replaced by those of others. */
    void replaced(String node);

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
