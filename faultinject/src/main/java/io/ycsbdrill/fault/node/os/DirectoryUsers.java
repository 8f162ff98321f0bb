package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of this machine that use a directory: the second proof that a node is down, whose process is not found. It is their
 * working directory, has a file that they have open or mapped, or is named by an argument. This process and those that have started it
 * are none of them, and of other users' processes only what the kernel shows is known. Stateless.
 */
public final class DirectoryUsers {
    /** For helpers of a server that was killed, which end a moment later. */
    private static final Duration LEAVE_BOUND = Duration.ofSeconds(5);

    private DirectoryUsers() {}

    /**
     * Checks that nothing that may be the server uses the data of a node whose process is not found.
     *
     * @param pidFile of the node; where there is none, any user of the directory may be its server
     * @throws NodeControlException naming the process that uses it
     */
    public static void requireDown(String node, Path data, Path pidFile) {
        Optional<OsProcess> last = PidFile.read(pidFile);
        of(data).stream()
                .filter(user ->
                        last.map(each -> user.runsOneOf(each.programs())).orElse(true))
                .findFirst()
                .ifPresent(user -> {
                    throw new NodeControlException(node + " may not be down: " + described(user) + " uses " + data
                            + ", and pid file " + pidFile + (last.isEmpty() ? " is not there" : " names another one")
                            + "; look what it is, and end it by hand");
                });
    }

    /**
     * Checks that no process at all uses the data of a node that is down, before it is removed.
     *
     * @throws NodeControlException naming the process that uses it
     */
    public static void requireUnused(String node, Path data) {
        requireUnused(node, data, LEAVE_BOUND);
    }

    static void requireUnused(String node, Path data, Duration bound) {
        NodeLocks.await(
                bound,
                () -> of(data).isEmpty(),
                () -> of(data).stream().map(DirectoryUsers::described).collect(Collectors.joining(", ")) + " uses "
                        + data + ", the data of " + node + ", which stays as it is; end the process first");
    }

    /**
     * Checks that no server is left in the directory of a cluster whose recorded processes have ended: one whose own record was lost,
     * or that its parent has left behind.
     *
     * @param server whether a process that uses the directory is one of the cluster's
     * @throws NodeControlException naming the process that is left
     */
    public static void requireNoServer(Path cluster, Predicate<OsProcess> server) {
        NodeLocks.await(
                LEAVE_BOUND,
                () -> of(cluster).stream().noneMatch(server),
                () -> of(cluster).stream()
                                .filter(server)
                                .map(DirectoryUsers::described)
                                .collect(Collectors.joining(", "))
                        + " still uses " + cluster
                        + ", and no pid file there names it; files are kept: look what it is,"
                        + " and end it by hand");
    }

    /** Those that use the directory and are not stopped. */
    public static List<OsProcess> running(Path directory) {
        return of(directory).stream().filter(user -> !user.stopped()).toList();
    }

    private static String described(OsProcess user) {
        return "process " + user.pid() + " (" + user.commandLine() + ")";
    }

    /** In order of their ids; none when it is not there. */
    static List<OsProcess> of(Path directory) {
        Path real;
        try {
            real = directory.toRealPath();
        } catch (IOException e) {
            return List.of(); // nobody can use what is not there
        }
        List<Path> names = List.of(real, directory.toAbsolutePath().normalize());
        Set<Long> own = own();
        return NodeIo.get("processes cannot be listed", () -> Io.names(Path.of("/proc"))).stream()
                .filter(name -> name.matches("\\d+"))
                .map(Long::parseLong)
                .filter(pid -> !own.contains(pid))
                .filter(pid -> uses(pid, real) || named(pid, names))
                .sorted()
                .map(OsProcess::new)
                .filter(OsProcess::alive)
                .toList();
    }

    private static Set<Long> own() {
        Set<Long> own = new HashSet<>();
        Optional<ProcessHandle> next = Optional.of(ProcessHandle.current());
        while (next.isPresent()) {
            own.add(next.get().pid());
            next = next.get().parent();
        }
        return own;
    }

    private static boolean uses(long pid, Path real) {
        Path process = Path.of("/proc", Long.toString(pid));
        if (leadsInto(process.resolve("cwd"), real)) {
            return true;
        }
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            if (open.anyMatch(file -> leadsInto(file, real))) {
                return true;
            }
        } catch (IOException | RuntimeException e) {
            // another user's, or it has ended
        }
        try (Stream<String> mapped = Files.lines(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
            return mapped.anyMatch(line -> line.contains(" " + real + "/"));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static boolean leadsInto(Path link, Path real) {
        try {
            return Files.readSymbolicLink(link).startsWith(real);
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Whether an argument, or the value of an option, is a path of it or in it. */
    private static boolean named(long pid, List<Path> names) {
        return ProcFs.arguments(pid).stream()
                .map(argument -> argument.replaceFirst("^-[^=]*=", ""))
                .filter(argument -> argument.startsWith("/"))
                .anyMatch(argument -> names.stream()
                        .anyMatch(name -> argument.equals(name.toString()) || argument.startsWith(name + "/")));
    }
}
