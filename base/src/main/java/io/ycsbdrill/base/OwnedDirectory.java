package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A directory that is ours, and the only way by which this program removes a directory with what is in it. What says that it is ours is a
 * file in it, written before any other, or, of a temporary one, that this process has made it. Nothing is removed from a directory
 * without such a proof, of another machine, PID namespace or user, from one with a mount point in it, or through a link. Immutable.
 */
public final class OwnedDirectory {
    /** The file that says whose the directory is. */
    public static final String MARKER = OwnerMarker.NAME;

    private static final String REMOVED = ".removed";

    private final Path path;
    private final Optional<OwnerMarker> marker;
    private final Object key;

    private OwnedDirectory(Path path, Optional<OwnerMarker> marker) throws IOException {
        this.path = path;
        this.marker = marker;
        this.key = attributes(path).fileKey();
    }

    /**
     * Makes the directory ours, only for its owner to enter; nothing happens when it is so already and has nothing else in it.
     *
     * @param directory absent or empty
     * @param purpose what it is for: for a cluster, the engine's name
     * @throws NotOursException when something is in it
     */
    public static OwnedDirectory claim(Path directory, String purpose) throws IOException {
        Path path = directory.toAbsolutePath().normalize();
        Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rwx------");
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || !OwnerMarker.isOurs(path)) {
                throw new NotOursException(path, "it is a link, no directory, or another user's; name a new directory");
            }
            if (!isMarkedOnly(path) && posix(path)) {
                Files.setPosixFilePermissions(path, owner); // Nobody else can add to it from now on.
            }
            if (isMarkedOnly(path)) {
                return of(path, purpose);
            }
        } else {
            PrivateFolders.create(path.getParent());
            if (posix(path.getParent())) {
                Files.createDirectory(path, PosixFilePermissions.asFileAttribute(owner));
            } else {
                Files.createDirectory(path);
            }
        }
        OwnerMarker marker = OwnerMarker.of(purpose);
        marker.write(path);
        return new OwnedDirectory(path, Optional.of(marker));
    }

    /** Whether there is nothing in it but the marker; false when there is nothing at all. */
    private static boolean isMarkedOnly(Path path) throws IOException {
        List<String> names = Io.names(path);
        if (!names.isEmpty() && !names.equals(List.of(MARKER))) {
            throw new NotOursException(path, "it is not empty; take the cluster in it down first, or remove it");
        }
        return !names.isEmpty();
    }

    /**
     * A new temporary directory without a marker, which only this object can remove.
     *
     * @param prefix of its name
     */
    public static OwnedDirectory temporary(String prefix) throws IOException {
        return new OwnedDirectory(Files.createTempDirectory(prefix).toAbsolutePath(), Optional.empty());
    }

    /**
     * A directory that an earlier {@link #claim} has made ours.
     *
     * @param directory absolute
     * @param purpose as it was claimed for
     * @throws NotOursException when it is not there, or not ours
     */
    public static OwnedDirectory of(Path directory, String purpose) throws IOException {
        OwnedDirectory found = of(directory);
        String actual = found.marker.orElseThrow().purpose();
        if (!actual.equals(purpose)) {
            throw new NotOursException(
                    directory, "it was made for " + actual + " and not for " + purpose + "; look what is in it");
        }
        return found;
    }

    /** The same, whatever it is for. */
    public static OwnedDirectory of(Path directory) throws IOException {
        if (!directory.isAbsolute()) {
            throw new NotOursException(directory, "its path is not absolute; name the entire path");
        }
        Path path = directory.normalize();
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotOursException(
                    directory,
                    Files.isSymbolicLink(path)
                            ? "it is a link; name the directory itself"
                            : "there is no such directory");
        }
        return new OwnedDirectory(path, Optional.of(OwnerMarker.read(path)));
    }

    /** The path, absolute. */
    public Path path() {
        return path;
    }

    /** Differs from that of all other directories, also of one that was here earlier; empty text of a temporary one. */
    public String id() {
        return marker.map(OwnerMarker::id).orElse("");
    }

    /** Removes it and what is in it; links are removed and not followed. The marker is last, so that a second attempt completes a first. */
    public void delete() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        check();
        Tree.delete(path, MARKER);
    }

    /**
     * Removes a directory in it with all that is in that; nothing happens when it is not there. It is gone at once: whatever ends this
     * in the middle, nobody finds it with half of its files. The next removal completes the one that was cut off.
     *
     * @throws NotOursException when it is elsewhere, or behind a link
     */
    public void delete(Path part) throws IOException {
        Path below = part.toAbsolutePath().normalize();
        if (!below.startsWith(path) || below.equals(path)) {
            throw new NotOursException(part, "it is not in " + path);
        }
        Path doomed = doomed(below);
        if (!Files.exists(below, LinkOption.NOFOLLOW_LINKS) && !Files.exists(doomed, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        check();
        requireNoLink(below);
        if (Files.exists(doomed, LinkOption.NOFOLLOW_LINKS)) {
            Tree.delete(doomed, MARKER);
        }
        if (Files.exists(below, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(below, doomed, StandardCopyOption.ATOMIC_MOVE);
            Tree.delete(doomed, MARKER);
        }
    }

    /** The outermost first, as what is behind a link is elsewhere. */
    private void requireNoLink(Path part) throws IOException {
        Deque<Path> between = new ArrayDeque<>();
        for (Path each = part; !each.equals(path); each = each.getParent()) {
            between.push(each);
        }
        for (Path each : between) {
            if (Files.exists(each, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotOursException(part, each + " is not a directory, or a link; put the directory back");
            }
        }
    }

    /** What a directory is called while it is removed. */
    private static Path doomed(Path part) {
        return part.resolveSibling("." + part.getFileName() + REMOVED);
    }

    /** Completes the removals of parts of this folder that were cut off. */
    public static void completeRemovals(Path folder) throws IOException {
        for (String name : Io.names(folder)) {
            if (name.startsWith(".") && name.endsWith(REMOVED)) {
                deletePart(folder.resolve(name));
            }
        }
    }

    /**
     * Removes a directory with all that is in it from the directory of ours around it; nothing happens when it is not there.
     *
     * @throws NotOursException when none around it is ours
     */
    public static void deletePart(Path part) throws IOException {
        Path below = part.toAbsolutePath().normalize();
        if (!Files.exists(below, LinkOption.NOFOLLOW_LINKS)
                && !Files.exists(doomed(below), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        around(below).delete(below);
    }

    /**
     * Proves, before files in a directory are changed, that it is in a directory of ours in which nothing is mounted, and behind no link. It need
     * not be there.
     *
     * @throws NotOursException when it is not
     */
    public static void checkPart(Path part) throws IOException {
        Path below = part.toAbsolutePath().normalize();
        OwnedDirectory around = around(below);
        around.check();
        around.requireNoLink(below);
    }

    private static OwnedDirectory around(Path part) throws IOException {
        for (Path around = part.getParent(); around != null; around = around.getParent()) {
            if (Files.exists(around.resolve(MARKER), LinkOption.NOFOLLOW_LINKS)) {
                return of(around);
            }
        }
        throw new NotOursException(part, OwnerMarker.missing("no directory around it", part));
    }

    /** Everything that can be known before the first file is removed. */
    private void check() throws IOException {
        Path real = path.toRealPath();
        if (real.getNameCount() == 0) {
            throw new NotOursException(path, "it is the root of the file system");
        }
        if (Homes.includes(real)) {
            throw new NotOursException(path, "it is a home directory, or has one in it; choose another place");
        }
        if (!attributes(path).isDirectory() || !same(attributes(path).fileKey())) {
            throw new NotOursException(path, "another file is in its place");
        }
        if (marker.isPresent()) {
            of(path, marker.get().purpose());
        }
        Optional<Path> mounted = Mounts.in(real);
        if (mounted.isPresent()) {
            throw new NotOursException(
                    path, mounted.get() + " is a mount point; unmount it first: umount \"" + mounted.get() + "\"");
        }
    }

    private boolean same(Object now) {
        return key == null || key.equals(now);
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new NotOursException(path, "there is no such directory");
        }
    }

    static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
