package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * As whom servers run that refuse to run as root: as another user when this program runs as root, else as its own. Immutable.
 *
 * @param other the other user and the id of that user's group; empty for our own
 * @param seemsRoot whether this program runs as its own user and sees itself as root, as in an isolated network
 */
public record RunAs(Optional<Other> other, boolean seemsRoot) {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Path USERS = Path.of("/proc/self/uid_map");

    /**
     * Another user.
     *
     * @param user its name
     * @param group id of the user's own group
     */
    public record Other(String user, String group) {}

    /**
     * Our own user, unless that is root.
     *
     * @param user the other one
     * @throws NodeControlException when there is no such user
     */
    public static RunAs of(String user) {
        if (isAlone()) {
            return new RunAs(Optional.empty(), true);
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return new RunAs(Optional.empty(), false);
        }
        return NodeIo.get("the user " + user + " cannot be looked up", () -> {
            ProgramOutput group = ProgramOutput.of(List.of("id", "-g", user), BOUND);
            if (group.exit() == 0) {
                return new RunAs(Optional.of(new Other(user, group.firstLine())), false);
            }
            throw new NodeControlException(
                    "the servers do not run as root, and there is no user " + user + "; name another one by --run-as");
        });
    }

    /** Whether there is no user but ourselves in our user namespace. */
    private static boolean isAlone() {
        // No user namespaces here
        return Io.or(false, () -> Files.readString(USERS).strip().matches("0\\s+\\d+\\s+1"));
    }

    /** What stands before a command; {@code setpriv} and {@code unshare} become the program in place. */
    public List<String> prefix() {
        if (seemsRoot) {
            return List.of("unshare", "--user", "--map-user=1000", "--map-group=1000", "--");
        }
        return other.map(each -> List.of(
                        "setpriv",
                        "--reuid=" + each.user(),
                        "--regid=" + each.group(),
                        "--clear-groups",
                        "--no-new-privs"))
                .orElse(List.of());
    }

    /** Lets the user through a folder of ours to those in it that are that user's, and see no names in it. */
    public void admit(Path folder) throws IOException {
        if (other.isPresent()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    /**
     * Gives the folder, and what is in it, to the user; what may be elsewhere, as the user has put a link there, symbolic or hard, is not
     * changed, however quickly it is put there. What ends meanwhile is none of it.
     *
     * @throws IOException when it is a link or no folder, or cannot be given away
     */
    public void own(Path folder) throws IOException {
        if (other.isEmpty()) {
            return;
        }
        UserPrincipal owner = folder.getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(other.get().user());
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is a link or no directory, and cannot be given to "
                    + other.get().user() + "; look who has put it there, and remove it");
        }
        try (DirectoryStream<Path> around =
                Files.newDirectoryStream(folder.toAbsolutePath().getParent())) {
            give((SecureDirectoryStream<Path>) around, folder.toAbsolutePath(), owner);
        }
    }

    /** The folder last: what is in it is not the user's to replace before. */
    private static void give(SecureDirectoryStream<Path> around, Path path, UserPrincipal owner) throws IOException {
        Path name = path.getFileName();
        PosixFileAttributes attributes;
        try {
            attributes = around.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException e) {
            return; // a server that is up removes files of its own
        }
        if (attributes.isDirectory()) {
            try (SecureDirectoryStream<Path> folder = around.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                for (Path each : folder) {
                    give(folder, path.resolve(each.getFileName()), owner);
                }
                folder.getFileAttributeView(FileOwnerAttributeView.class).setOwner(owner);
            }
        } else if (attributes.isRegularFile() && !attributes.owner().equals(owner) && hasOneName(path, attributes)) {
            around.getFileAttributeView(name, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setOwner(owner);
        }
    }

    /** Whether the file has no other name, which a server's files never have: the user may have made one here of a file elsewhere. */
    private static boolean hasOneName(Path path, PosixFileAttributes attributes) {
        try {
            Map<String, Object> there = Files.readAttributes(path, "unix:nlink,fileKey", LinkOption.NOFOLLOW_LINKS);
            return there.get("nlink").equals(1) && there.get("fileKey").equals(attributes.fileKey());
        } catch (IOException e) {
            return false; // gone, or no longer what was seen
        }
    }

    /**
     * Checks that the user can read the files and write to the folder.
     *
     * @throws NodeControlException naming what cannot be reached, and what to do
     */
    public void check(List<Path> read, Path write) {
        if (other.isEmpty()) {
            return;
        }
        String user = other.get().user();
        List<String> command = new ArrayList<>(prefix());
        command.addAll(List.of(
                "sh", "-c", "for f; do [ -r \"$f\" ] || { echo \"$f\"; exit 1; }; done; [ -w \"$f\" ] || echo \"$f\""));
        command.add("sh");
        read.forEach(path -> command.add(path.toString()));
        command.add(write.toString());
        ProgramOutput output = NodeIo.get(
                "the servers do not run as root, and setpriv (of util-linux), which starts them as " + user
                        + ", cannot be run",
                () -> ProgramOutput.of(command, BOUND));
        if (!output.firstLine().isEmpty()) {
            throw new NodeControlException(
                    "the servers do not run as root, and " + user + ", as whom they would run (--run-as),"
                            + " cannot reach " + output.firstLine()
                            + ": open the folders above it for others (chmod o+x), use a"
                            + " place that is open, or run ycsb as another user. The clusters' place is set by YCSB_DRILL_STATE");
        }
    }
}
