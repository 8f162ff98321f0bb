package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the pid files of servers record: a process, when it was started, and the programs that it may run to be signalled. Only a file
 * that we have written proves that a process is ours, or one of the user as whom the process runs. Stateless.
 */
public final class PidFile {
    /** In bytes. */
    private static final int LONGEST_RECORD = 4096;

    private PidFile() {}

    /**
     * What a pid file holds of a process: its id, when it was started, and the programs that it may run.
     *
     * @param programs at least one; without those with which servers are started
     */
    public static String text(long pid, Collection<String> programs) {
        return pid + " " + OsProcess.startOf(pid).orElse(0) + " " + String.join(",", new TreeSet<>(programs)) + "\n";
    }

    /**
     * What the file records, whether it still runs or not; empty when there is no file.
     *
     * @throws NodeControlException when it cannot be read, or is no record of ours
     */
    public static Optional<OsProcess> read(Path pidFile) {
        try {
            Path file = file(pidFile);
            UserPrincipal before = writer(file);
            String[] words = content(file).strip().split(" ");
            if (words.length == 3) {
                long pid = Long.parseLong(words[0]);
                return Optional.of(new OsProcess(
                        pid,
                        OptionalLong.of(Long.parseLong(words[1])),
                        before.equals(writer(file)) && mayName(before, file, pid)
                                ? Set.of(words[2].split(","))
                                : Set.of()));
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new NodeControlException("pid file " + pidFile + " cannot be read: " + FileReason.of(e), e);
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new NodeControlException(
                "pid file " + pidFile + " is damaged: expected a process, its start and its programs,"
                        + " as in 4711 81532 mariadbd; end its process by hand, if it runs, and remove the file");
    }

    /** The file itself, or that to which a link of ours leads: a server that runs as another user writes it in a folder of that user's. */
    private static Path file(Path pidFile) throws IOException {
        return Files.isSymbolicLink(pidFile) && owner(pidFile).equals(ourselves())
                ? pidFile.resolveSibling(Files.readSymbolicLink(pidFile))
                : pidFile;
    }

    /** Who has written the file. Another link could lead to the record of another process, which its owner has not written. */
    private static UserPrincipal writer(Path file) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile() || attributes.size() > LONGEST_RECORD) {
            throw new NodeControlException("pid file " + file + " is left alone: it is a link, no file, or longer than"
                    + " any record of ours; look who has put it there");
        }
        return owner(file);
    }

    private static String content(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return new String(in.readNBytes(LONGEST_RECORD), StandardCharsets.UTF_8);
        }
    }

    private static UserPrincipal owner(Path file) throws IOException {
        return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static UserPrincipal ourselves() throws IOException {
        return Files.getOwner(Path.of("/proc/self"));
    }

    /**
     * Whether who has written the file may have the process signalled: we may, in a folder of ours, where nobody else can put a file of ours;
     * and another user, as whom a server runs, may for processes of that user, which it could signal itself.
     */
    private static boolean mayName(UserPrincipal writer, Path file, long pid) throws IOException {
        if (writer.equals(ourselves())) {
            return writer.equals(Files.getOwner(file.toAbsolutePath().getParent()));
        }
        try {
            return writer.equals(Files.getOwner(Path.of("/proc", Long.toString(pid))));
        } catch (NoSuchFileException e) {
            return true; // nobody is signalled
        }
    }

    /**
     * The process that the file records, if it runs.
     *
     * @throws NodeControlException as {@link #read} does
     */
    public static Optional<OsProcess> running(Path pidFile) {
        return read(pidFile).filter(OsProcess::alive);
    }

    /** The processes of the pid files {@code *.pid} in a directory, in order of the files' names; none when it is not there. */
    public static List<OsProcess> allRunning(Path run) {
        return all(run).stream().filter(OsProcess::alive).toList();
    }

    /** The programs of those that the pid files there record, whether they still run or not. */
    public static Set<String> allPrograms(Path run) {
        return all(run).stream().flatMap(each -> each.programs().stream()).collect(Collectors.toSet());
    }

    private static List<OsProcess> all(Path run) {
        if (!Files.isDirectory(run)) {
            return List.of();
        }
        return NodeIo.get("cannot list " + run, () -> Io.list(run)).stream()
                .filter(f -> f.toString().endsWith(".pid"))
                .flatMap(f -> read(f).stream())
                .toList();
    }
}
