package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders in which nobody else can write, whatever the umask: what lies in them is acted upon. Stateless. */
public final class PrivateFolders {
    private PrivateFolders() {}

    /** Makes the folder and what is missing above it; one that is there stays as it is. */
    public static Path create(Path folder) throws IOException {
        return Files.createDirectories(folder, mode(folder, "rwxr-xr-x"));
    }

    /**
     * Makes the folder for its owner alone, who then is the only one that can put a link there or hold a lock; or finds it so.
     *
     * @throws NotOursException when it is there and is not so
     */
    public static Path forOwner(Path folder) throws IOException {
        create(folder.toAbsolutePath().getParent());
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                return Files.createDirectory(folder, mode(folder, "rwx------"));
            } catch (FileAlreadyExistsException e) {
                return forOwner(folder); // by another command, at the same time
            }
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || !OwnerMarker.isOurs(folder)
                || !permissions(folder).endsWith("------")) {
            throw new NotOursException(
                    folder,
                    "expected a directory of this user that nobody else may enter (mode 0700), and no link; remove it");
        }
        return folder;
    }

    /** As {@code ls} shows them; nothing for others where the file system knows no permissions. */
    static String permissions(Path file) throws IOException {
        return OwnedDirectory.posix(file)
                ? PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))
                : "rw-------";
    }

    static FileAttribute<?>[] mode(Path folder, String permissions) {
        return OwnedDirectory.posix(folder)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
