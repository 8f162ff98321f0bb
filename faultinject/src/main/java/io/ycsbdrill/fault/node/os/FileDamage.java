package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.Damageable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Damages files of nodes of a local cluster. Only regular files with one name each, in the directory that an initial start of the node
 * removes, below the cluster's directory that is ours and has nothing mounted in it, and that no process uses; no link is followed. What
 * is to be changed is in the file {@code damaged/NODE} of the cluster's directory before anything is, and until an initial start has
 * removed the node's files. Thread-safe.
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
     * @param draw counts the node's damages, from 1
     * @param at the byte, or the new size
     * @param mask the bit; 0 when the file is cut
     * @param was the byte, or the size before
     */
    private record Change(int draw, String file, long at, int mask, long was) {
        static Change parse(String line) {
            String[] words = line.split(" ", 5);
            return new Change(
                    Integer.parseInt(words[0]),
                    words[4],
                    Long.parseLong(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]));
        }

        String line() {
            return draw + " " + at + " " + mask + " " + was + " " + file;
        }

        /** A second flip of one bit would repair it. */
        boolean isOf(Change other) {
            return file.equals(other.file) && at == other.at && mask == other.mask && mask != 0;
        }

        String text() {
            return mask == 0
                    ? file + " cut from " + was + " to " + at + " bytes"
                    : "bit " + Integer.numberOfTrailingZeros(mask) + " of byte " + at + " of " + file;
        }
    }

    @Override
    public void check(String node, Damage damage) {
        NodeIo.run("files of " + node + " cannot be damaged", () -> required(node, damage));
    }

    private List<Path> required(String node, Damage damage) throws IOException {
        Path data = data(node);
        List<Path> files = candidates(data, damage.files());
        if (files.isEmpty()) {
            throw new NodeControlException("no file of " + node + " is like \"" + damage.files() + "\" in " + data
                    + "; name others by the key files");
        }
        return files;
    }

    @Override
    public void damage(String node, Damage damage) {
        nodes.exclusively(node, () -> {
            if (nodes.process(node).isPresent()) {
                throw new NodeControlException("files of " + node + " are not damaged while it has a process");
            }
            Path data = data(node);
            DirectoryUsers.requireUnused(node, data);
            NodeIo.run("files of " + node + " cannot be damaged", () -> {
                List<Change> before = recorded(node);
                List<Change> changes = draw(node, damage, before);
                Files.createDirectories(record(node).getParent());
                AtomicFile.write(
                        record(node),
                        Stream.concat(before.stream(), changes.stream())
                                .map(change -> change.line() + "\n")
                                .collect(Collectors.joining()));
                for (Change change : changes) {
                    apply(data.resolve(change.file()), change);
                }
            });
        });
    }

    private Path data(String node) {
        return NodeIo.get("files of " + node + " cannot be damaged", () -> {
            Path data = nodes.data(node).toRealPath();
            if (!data.startsWith(nodes.directory().toRealPath())) {
                throw new NodeControlException(
                        "files of " + node + " are not damaged: " + data + " is not in the cluster's own directory");
            }
            OwnedDirectory.checkPart(data);
            return data;
        });
    }

    private Path record(String node) {
        return record(nodes.directory(), node);
    }

    private static Path record(Path cluster, String node) {
        return cluster.resolve("damaged").resolve(node);
    }

    private List<Change> recorded(String node) throws IOException {
        Path record = record(node);
        return Files.exists(record)
                ? Files.readAllLines(record).stream().map(Change::parse).toList()
                : List.of();
    }

    private static int last(List<Change> changes) {
        return changes.isEmpty() ? 0 : changes.get(changes.size() - 1).draw();
    }

    /** Each of another file, while there are any; bits where something is written, and none that was flipped before. */
    private List<Change> draw(String node, Damage damage, List<Change> before) throws IOException {
        Path data = data(node);
        List<Path> files = new ArrayList<>(required(node, damage));
        int draw = last(before) + 1;
        SplittableRandom random = new SplittableRandom(damage.seed() ^ ((draw - 1L) << 32));
        List<Change> taken = new ArrayList<>(before);
        List<Path> left = new ArrayList<>(files);
        while (taken.size() < before.size() + damage.count() && !files.isEmpty()) {
            if (left.isEmpty() && damage.kind() == Damage.Kind.FLIP) {
                left.addAll(files);
            }
            if (left.isEmpty()) {
                break;
            }
            Path file = left.remove(random.nextInt(left.size()));
            Optional<Change> change = damage.kind() == Damage.Kind.FLIP
                    ? flip(draw, data, file, random, taken)
                    : Optional.of(cut(draw, data, file));
            change.ifPresentOrElse(taken::add, () -> files.remove(file));
        }
        if (taken.size() == before.size()) {
            throw new NodeControlException("in the files of " + node + " that are like \"" + damage.files()
                    + "\" nothing is written that is not damaged already; name others by the key files");
        }
        return taken.subList(before.size(), taken.size());
    }

    private static List<Path> candidates(Path data, String pattern) throws IOException {
        PathMatcher matcher = data.getFileSystem().getPathMatcher("glob:" + pattern);
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.sorted().toList()) {
                if (isPlain(file)
                        && matcher.matches(data.relativize(file))
                        && Files.size(file) > 0
                        && file.toString().indexOf('\n') < 0) { // which the record could not hold
                    found.add(file);
                }
            }
        }
        return found;
    }

    /** A regular file with no other name. */
    private static boolean isPlain(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) == 1;
    }

    private static Change cut(int draw, Path data, Path file) throws IOException {
        long size = Files.size(file);
        return new Change(draw, data.relativize(file).toString(), size / 2, 0, size);
    }

    /** Empty when nothing was found in the file that is not zero, or not flipped yet. */
    private static Optional<Change> flip(int draw, Path data, Path file, SplittableRandom random, List<Change> taken)
            throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            for (int i = 0; i < TRIES; i++) {
                long at = random.nextLong(channel.size());
                Change change = new Change(
                        draw,
                        data.relativize(file).toString(),
                        at,
                        1 << random.nextInt(Byte.SIZE),
                        byteAt(channel, at));
                if (change.was() != 0 && taken.stream().noneMatch(change::isOf)) {
                    return Optional.of(change);
                }
            }
            return Optional.empty();
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
        if (!isPlain(file)) {
            throw new IOException(file + " is not a regular file any more, or has another name");
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
        return NodeIo.get("files of " + node + " cannot be read", () -> {
            List<Change> all = recorded(node);
            if (all.isEmpty()) {
                return new Sight(false, "no file of " + node + " is damaged");
            }
            Path data = data(node);
            List<Change> drawn =
                    all.stream().filter(change -> change.draw() == last(all)).toList();
            List<Change> changes = new ArrayList<>();
            for (Change change : drawn) {
                if (isThere(data.resolve(change.file()), change)) {
                    changes.add(change);
                }
            }
            String shown = changes.stream().limit(SHOWN).map(Change::text).collect(Collectors.joining(", "));
            return new Sight(
                    changes.size() == drawn.size(),
                    (changes.size() == drawn.size() ? "" : changes.size() + " of ")
                            + Counted.of(drawn.size(), "change") + " in files of " + node + ": " + shown
                            + (changes.size() > SHOWN ? ", ..." : "") + "; all are in " + record(node));
        });
    }

    private static boolean isThere(Path file, Change change) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return change.mask() == 0
                    ? channel.size() == change.at()
                    : ((byteAt(channel, change.at()) ^ change.was()) & change.mask()) != 0;
        }
    }

    @Override
    public Optional<Instant> damagedSince(String node) {
        return NodeIo.get(
                record(node) + " cannot be read",
                () -> Files.exists(record(node))
                        ? Optional.of(Files.getLastModifiedTime(record(node)).toInstant())
                        : Optional.empty());
    }

    @Override
    public void givenUp(String node, String why) {
        nodes.note(
                node,
                "with its damaged files it does not come up; it is started empty, and copies everything from the others: "
                        + why);
    }

    /** To be called when an initial start has removed the files of the node. */
    public static void removed(Path cluster, String node) {
        NodeIo.run(record(cluster, node) + " cannot be removed", () -> Files.deleteIfExists(record(cluster, node)));
    }
}
