package io.ycsbdrill.fault.node.galera;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a node got what it lacked. Its log names both ways whichever is taken: the script that copies everything is also run
 * when there is nothing to copy, and a node that could take write sets is sent everything when the donor has no longer all of
 * them. So only what was completed counts.
 */
final class Transfer {
    private static final Pattern COPIED = Pattern.compile("WSREP_SST: \\w+ SST completed on joiner.*");
    private static final Pattern WRITE_SETS = Pattern.compile("WSREP: Receiving IST: (\\d+) writesets.*");
    private static final Pattern RECEIVED = Pattern.compile("WSREP: IST received: .*");

    private boolean copied;
    private boolean received;
    private String writeSets = "";

    /** The node's log says so. */
    void line(String text) {
        copied |= COPIED.matcher(text).matches();
        received |= RECEIVED.matcher(text).matches();
        Matcher count = WRITE_SETS.matcher(text);
        if (count.matches()) {
            writeSets = count.group(1);
        }
    }

    /** One line about the transfer; empty when nothing was transferred. */
    Optional<String> summary() {
        String missed = writeSets.isEmpty() ? "" : writeSets + " write sets";
        if (copied) {
            // "IST received" follows each copy, with nothing in it when the copy had everything.
            return Optional.of(
                    "state transfer: SST, a copy of everything" + (missed.isEmpty() ? "" : ", then " + missed));
        }
        return received
                ? Optional.of("state transfer: IST" + (missed.isEmpty() ? "" : ", " + missed))
                : Optional.empty();
    }
}
