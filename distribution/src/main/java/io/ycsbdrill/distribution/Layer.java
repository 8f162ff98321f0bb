package io.ycsbdrill.distribution;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * One layer of an image, written as a compressed tar file: the same entries in the same order give the same bytes. Paths have no
 * slash at their beginning. For one thread.
 */
final class Layer implements AutoCloseable {
    /** Permissions and the sticky bit: nothing in the image changes its user. */
    private static final int MODES = 01777;

    private final Path file;
    private final Date time;
    private final MessageDigest compressed = Digests.sha256();
    private final MessageDigest plain = Digests.sha256();
    private final TarArchiveOutputStream tar;
    private final Set<String> written = new HashSet<>();

    /**
     * A layer as it was written.
     *
     * @param digest of the file
     * @param diffId of the tar file before its compression
     */
    record Written(Path file, String digest, String diffId, long size) {}

    /** @param time of entries that bring none of their own */
    Layer(Path file, Instant time) throws IOException {
        this.file = file;
        this.time = Date.from(time);
        tar = new TarArchiveOutputStream(
                new DigestOutputStream(
                        new GZIPOutputStream(
                                new DigestOutputStream(
                                        new BufferedOutputStream(Files.newOutputStream(file), 1 << 16), compressed),
                                1 << 16),
                        plain),
                "UTF-8");
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    }

    /** A directory and those above it, owned by root; one that is there already stays as it is. */
    void directory(String path) throws IOException {
        directory(path, 0755, 0);
    }

    void directory(String path, int mode, int owner) throws IOException {
        if (path.contains("/")) {
            directory(path.substring(0, path.lastIndexOf('/')));
        }
        if (!path.isEmpty() && written.add(path)) {
            put(new TarArchiveEntry(path + "/", TarConstants.LF_DIR), mode, owner, time);
            tar.closeArchiveEntry();
        }
    }

    /** A file that only root may change. */
    void file(String path, byte[] content) throws IOException {
        above(path);
        if (!written.add(path)) {
            throw new IOException(path + " is to be written twice");
        }
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_NORMAL);
        entry.setSize(content.length);
        put(entry, 0644, 0, time);
        new ByteArrayInputStream(content).transferTo(tar);
        tar.closeArchiveEntry();
    }

    /** An entry of another tar file at this path, owned by root; a directory that is there already stays as it is. */
    void copy(String path, TarArchiveEntry from, InputStream content) throws IOException {
        above(path);
        if (!written.add(path)) {
            if (from.isDirectory()) {
                return;
            }
            throw new IOException(path + " is to be written twice");
        }
        TarArchiveEntry entry = new TarArchiveEntry(from.isDirectory() ? path + "/" : path, type(path, from));
        if (from.isSymbolicLink() || from.isLink()) {
            entry.setLinkName(from.isLink() ? plain(from.getLinkName()) : from.getLinkName());
        }
        entry.setSize(from.isFile() && !from.isLink() ? from.getSize() : 0);
        put(entry, from.getMode(), 0, from.getModTime());
        if (entry.getSize() > 0) {
            content.transferTo(tar);
        }
        tar.closeArchiveEntry();
    }

    private static byte type(String path, TarArchiveEntry from) throws IOException {
        if (from.isDirectory()) {
            return TarConstants.LF_DIR;
        } else if (from.isSymbolicLink()) {
            return TarConstants.LF_SYMLINK;
        } else if (from.isLink()) {
            return TarConstants.LF_LINK;
        } else if (from.isFile()) {
            return TarConstants.LF_NORMAL;
        }
        throw new IOException(path + " is neither a file nor a directory nor a link; the image takes no others");
    }

    private void above(String path) throws IOException {
        int slash = path.lastIndexOf('/');
        if (slash > 0) {
            directory(path.substring(0, slash));
        }
    }

    private void put(TarArchiveEntry entry, int mode, int owner, Date modified) throws IOException {
        entry.setMode(mode & MODES);
        entry.setIds(owner, owner);
        entry.setNames("", "");
        entry.setModTime(modified.getTime() / 1000 * 1000);
        tar.putArchiveEntry(entry);
    }

    /** A name in a tar file without {@code ./} at its beginning and a slash at its end; empty for the top. */
    static String plain(String name) {
        String path = name.startsWith("./") ? name.substring(2) : name;
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Ends the layer. */
    Written written() throws IOException {
        tar.close();
        return new Written(file, Digests.hex(compressed), Digests.hex(plain), Files.size(file));
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}
