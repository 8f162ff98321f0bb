package io.ycsbdrill.client.audit.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A journal's bytes, big-endian. The file is a sequence of segments of the same length, and no record crosses from one to the next: a tag of 0 is the end
 * of what its segment holds. The first begins with a header:
 *
 * <pre>
 * header  magic:8  version:4  writer:4  run:8  boot:16  nanos:8  wall:8
 * FIELD   tag:1  length:2  name                              the next number for a field's name, from 0
 * BEGIN   tag:1  start:8  length:2  key  count:2  field:2..  INSERT, UPDATE or DELETE; of the whole row when the count is 0
 * END     tag:1  end:8                                       OK, FAILED or UNKNOWN: of the oldest write that has no END yet
 * READ    tag:1  start:8  end:8  length:2  key  field:2  found:8   what one field of a row showed ({@link Stamp#read})
 * </pre>
 *
 * Times are of {@link System#nanoTime}, which was {@code nanos} when the wall clock was {@code wall}, in nanoseconds since 1970; journals of one run are comparable
 * when they are of the same {@code boot} of the same machine. A record's tag is stored after all else of it, so that a process that is killed in between leaves none.
 */
final class JournalFormat {
    static final int SEGMENT_BYTES = 1 << 20;
    static final long MAGIC = 0x79637362_6a726e6cL;
    static final int VERSION = 1;
    static final int HEADER_BYTES = 56;

    static final int NOTHING = 0;
    static final int FIELD = 1;
    /** Plus the ordinal of the {@link Write.Kind}. */
    static final int BEGIN = 2;
    /** Plus the ordinal of the outcome. */
    static final int END = 5;

    static final int READ = 8;
    /** In place of a field's number: there was no such row. */
    static final int NO_ROW = (1 << 16) - 1;

    /** The identity of this machine, since it was started; zero where the system does not tell. */
    static UUID boot() {
        try {
            return UUID.fromString(
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
        } catch (IOException | IllegalArgumentException e) {
            return new UUID(0, 0);
        }
    }
}
