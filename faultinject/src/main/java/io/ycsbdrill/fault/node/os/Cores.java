package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processor cores on which Linux lets a program run. Children have those of their parent, so a cluster's servers have those of
 * the command that first starts them; {@link Launcher} starts them on the same ones again, whoever restarts them. Stateless.
 */
public final class Cores {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern ALLOWED = Pattern.compile("Cpus_allowed_list:\\s*(\\S+)");
    private static final Duration BOUND = Duration.ofSeconds(10);

    private Cores() {}

    /**
     * Keeps this process, and what it starts from now on, on the first of its cores.
     *
     * @param count 1 to {@link #count}
     * @throws IllegalArgumentException when there are fewer
     * @throws NodeControlException when {@code taskset} (util-linux) is not there or fails
     */
    public static void keepTo(int count) {
        List<Integer> all = parse(allowed().orElse(""));
        if (count < 1 || count > all.size()) {
            throw new IllegalArgumentException("--cores " + count + ": expected 1 to " + all.size()
                    + ", the cores that this process may use; leave it out for all of them");
        }
        String list = String.join(
                ",", all.subList(0, count).stream().map(String::valueOf).toList());
        String pid = Long.toString(ProcessHandle.current().pid());
        NodeIo.run("--cores " + count + ": taskset cannot be run", () -> {
            ProgramOutput done = ProgramOutput.of(List.of(taskset(), "-a", "-c", "-p", list, pid), BOUND);
            if (done.exit() != 0) {
                throw new NodeControlException(
                        "--cores " + count + ": taskset failed: " + done.text().strip());
            }
        });
    }

    /** How many cores this process may use. */
    public static int count() {
        return allowed()
                .map(list -> parse(list).size())
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    /**
     * What to put before a command so that it runs on the cores on which it was first started; nothing when these are the ones
     * that it has anyway.
     *
     * @param record where the first start notes them
     * @throws IOException when they cannot be noted
     */
    static List<String> asFirstStarted(Path record) throws IOException {
        Optional<String> now = allowed();
        if (now.isEmpty()) {
            return List.of(); // not Linux
        }
        if (!Files.exists(record)) {
            AtomicFile.write(record, now.get() + "\n");
            return List.of();
        }
        String first = Files.readString(record).strip();
        return first.equals(now.get()) || first.isEmpty() ? List.of() : List.of(taskset(), "-c", first);
    }

    private static String taskset() {
        return Launcher.program("taskset")
                .orElseThrow(() -> new NodeControlException(
                        "taskset was not found, which keeps servers on some cores; it is in the package util-linux"));
    }

    private static Optional<String> allowed() {
        Matcher line = ALLOWED.matcher(Io.or("", () -> Files.readString(STATUS)));
        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
    }

    /** {@code 0-2,5} as 0, 1, 2, 5. */
    static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        for (String range : list.isEmpty() ? new String[0] : list.split(",")) {
            String[] ends = range.split("-");
            for (int core = Integer.parseInt(ends[0]); core <= Integer.parseInt(ends[ends.length - 1]); core++) {
                cores.add(core);
            }
        }
        return cores;
    }
}
