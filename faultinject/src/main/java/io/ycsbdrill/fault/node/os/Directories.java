package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the directories of local clusters, and makes them ours. Stateless. */
public final class Directories {

    /** Longest path of a socket: the kernel's 108 bytes with the closing zero. */
    private static final int LONGEST_SOCKET = 107;

    /** Blanks and what quotes, separates, expands or begins a comment in one or other configuration file, or for a shell. */
    private static final Pattern UNSUPPORTED = Pattern.compile("[\\s\"'#;:,$`\\\\]");

    private Directories() {}

    /**
     * Checks that the path may stand in any configuration file.
     *
     * @param advice what to do when it may not
     * @throws NodeControlException naming the character that may not
     */
    public static void requirePlain(Path directory, String advice) {
        Matcher unsupported = UNSUPPORTED.matcher(directory.toString());
        if (unsupported.find()) {
            throw new NodeControlException("directory \"" + directory + "\": the character '" + unsupported.group()
                    + "' is not supported in paths of local clusters, as configuration files take it for something"
                    + " else; " + advice + " without blanks and \"'#;:,$`\\");
        }
    }

    /**
     * Checks that a socket in the directory can have its path.
     *
     * @throws NodeControlException when the path is too long
     */
    public static void requireShort(Path directory, Path socket) {
        int length = socket.toString().length();
        if (length > LONGEST_SOCKET) {
            throw new NodeControlException("directory " + directory + " is too long: a socket's path in it has "
                    + length + " characters, the maximum is " + LONGEST_SOCKET + "; use a shorter one");
        }
    }

    /**
     * Makes an absent or empty directory ours, for a cluster, closed to others; the first step of its start. What is there when it fails is another's.
     *
     * @param engine the cluster's
     * @throws NodeControlException when something is in it, or it cannot be written
     */
    public static void claim(Path directory, String engine) {
        NodeIo.run("directory " + directory + " cannot be used", () -> OwnedDirectory.claim(directory, engine));
    }

    /**
     * The directory of a cluster, to be asked for before anything of the cluster is changed.
     *
     * @throws NodeControlException when nothing proves that it is ours, on this machine
     */
    public static OwnedDirectory owned(Path directory) {
        try {
            return OwnedDirectory.of(directory);
        } catch (IOException e) {
            throw new NodeControlException(FileReason.of(e), e);
        }
    }
}
