package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.fault.node.Damageable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Damages files of nodes of a local cluster. Only regular files with one name each, in the node's own data directory below the
 * cluster's directory, that no process uses; no link is followed. What is to be changed is in the file {@code damaged/NODE} of the
 * cluster's directory before anything is, and until the node's files are replaced. Thread-safe.
 */
public final class FileDamage implements Damageable {
    /** For the kit: every cluster has it. */
    public static final SandboxFeature FEATURE = nodes -> Optional.of(new FileDamage(nodes));

    private static final int TRIES = 64;
    private static final int SHOWN = 4;

    private final SandboxedNodes nodes;

    private FileDamage(SandboxedNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * One change: of one bit, or of the size.
     *
     * @param at the byte, or the new size
     * @param mask the bit; 0 when the file is cut
     * @param was the byte, or the size before
     */
    private record Change(String file, long at, int mask, long was) {
        static Change parse(String line) {
            String[] words = line.split(" ", 4);
            return new Change(words[3], Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        }

        String line() {
            return at + " " + mask + " " + was + " " + file;
        }

        String text() {
            return mask == 0
                    ? file + " cut from " + was + " to " + at + " bytes"
                    : "bit " + Integer.numberOfTrailingZeros(mask) + " of byte " + at + " of " + file;
        }
    }

    @Override
    public void damage(String node, Damage damage) {
        nodes.exclusively(node, () -> {
            if (nodes.process(node).isPresent()) {
                throw new NodeControlException("files of " + node + " are not damaged while it has a process");
            }
            DirectoryUsers.requireUnused(node, data(node));
            try {
                List<Change> changes = draw(node, damage);
                Files.createDirectories(record(node).getParent());
                AtomicFile.write(
                        record(node),
                        changes.stream().map(change -> change.line() + "\n").collect(Collectors.joining()));
                for (Change change : changes) {
                    apply(data(node).resolve(change.file()), change);
                }
            } catch (IOException e) {
                throw new NodeControlException("files of " + node + " cannot be damaged: " + FileReason.of(e), e);
            }
        });
    }

    private Path data(String node) {
        try {
            Path data = nodes.data(node).toRealPath();
            if (!data.startsWith(nodes.directory().toRealPath())) {
                throw new NodeControlException(
                        "files of " + node + " are not damaged: " + data + " is not in the cluster's own directory");
            }
            return data;
        } catch (IOException e) {
            throw new NodeControlException("files of " + node + " cannot be damaged: " + FileReason.of(e), e);
        }
    }

    private Path record(String node) {
        return nodes.directory().resolve("damaged").resolve(node);
    }

    /** Each of another file, while there are any; bits where something is written. */
    private List<Change> draw(String node, Damage damage) throws IOException {
        Path data = data(node);
        List<Path> files = candidates(data, damage.files());
        if (files.isEmpty()) {
            throw new NodeControlException("no file of " + node + " is like \"" + damage.files() + "\" in " + data
                    + "; name others by the key files");
        }
        SplittableRandom random = new SplittableRandom(damage.seed());
        List<Path> left = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < damage.count(); i++) {
            if (left.isEmpty() && (i == 0 || damage.kind() == Damage.Kind.FLIP)) {
                left.addAll(files);
            }
            if (left.isEmpty()) {
                break;
            }
            Path file = left.remove(random.nextInt(left.size()));
            changes.add(damage.kind() == Damage.Kind.FLIP ? flip(data, file, random) : cut(data, file));
        }
        return changes;
    }

    private static List<Path> candidates(Path data, String pattern) throws IOException {
        PathMatcher matcher = data.getFileSystem().getPathMatcher("glob:" + pattern);
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.sorted().toList()) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && matcher.matches(data.relativize(file))
                        && Files.size(file) > 0
                        && (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) == 1) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static Change cut(Path data, Path file) throws IOException {
        long size = Files.size(file);
        return new Change(data.relativize(file).toString(), size / 2, 0, size);
    }

    private static Change flip(Path data, Path file, SplittableRandom random) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long at = 0;
            int was = 0;
            for (int i = 0; i < TRIES && was == 0; i++) {
                at = random.nextLong(channel.size());
                was = byteAt(channel, at);
            }
            return new Change(data.relativize(file).toString(), at, 1 << random.nextInt(Byte.SIZE), was);
        }
    }

    private static int byteAt(FileChannel channel, long at) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return channel.read(one, at) == 1 ? one.get(0) & 0xff : 0;
    }

    private static void apply(Path file, Change change) throws IOException {
        if (!file.toRealPath().equals(file)) {
            throw new IOException(file + " is reached by a link");
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (change.mask() == 0) {
                channel.truncate(change.at());
            } else {
                // Another change may have been made to the same byte.
                int now = byteAt(channel, change.at());
                channel.write(ByteBuffer.wrap(new byte[] {(byte) (now ^ change.mask())}), change.at());
            }
            channel.force(true);
        }
    }

    @Override
    public Sight lookForDamage(String node) {
        if (!isDamaged(node)) {
            return new Sight(false, "no file of " + node + " is damaged");
        }
        try {
            List<Change> changes = new ArrayList<>();
            for (String line : Files.readAllLines(record(node))) {
                Change change = Change.parse(line);
                if (isThere(data(node).resolve(change.file()), change)) {
                    changes.add(change);
                }
            }
            String shown = changes.stream().limit(SHOWN).map(Change::text).collect(Collectors.joining(", "));
            return new Sight(
                    !changes.isEmpty(),
                    Counted.of(changes.size(), "change") + " in files of " + node + ": " + shown
                            + (changes.size() > SHOWN ? ", ..." : "") + "; all are in " + record(node));
        } catch (IOException e) {
            throw new NodeControlException("files of " + node + " cannot be read: " + FileReason.of(e), e);
        }
    }

    private static boolean isThere(Path file, Change change) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return change.mask() == 0
                    ? channel.size() == change.at()
                    : ((byteAt(channel, change.at()) ^ change.was()) & change.mask()) != 0;
        }
    }

    @Override
    public boolean isDamaged(String node) {
        return Files.exists(record(node));
    }

    @Override
    public void replaced(String node) {
        try {
            if (Files.deleteIfExists(record(node))) {
                nodes.note(node, "its files were damaged: it was started empty, and copies everything from the others");
            }
        } catch (IOException e) {
            throw new NodeControlException(record(node) + " cannot be removed: " + FileReason.of(e), e);
        }
    }
}
