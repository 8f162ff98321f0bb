package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads facts about processes from {@code /proc}, for the engines' controllers. Stateless and thread-safe. */
public final class ProcFs {
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int REAPED_USER_TICKS = 13;
    private static final int REAPED_SYSTEM_TICKS = 14;
    private static final int THREADS = 17;
    private static final int START_TICKS = 19;
    /** The bytes that an interface has sent, in {@code /proc/net/dev}. */
    private static final int SENT_BYTES = 8;
    /** {@code USER_HZ}, the unit of times in {@code /proc}: the same wherever a JVM runs. */
    private static final double TICKS_A_SECOND = 100;

    private static final Pattern RESIDENT = Pattern.compile("(?m)^(VmRSS|RssAnon):\\s+(\\d+) kB$");

    /**
     * A process.
     *
     * @param state the kernel's letter: {@code R}, {@code S}, {@code T} (stopped by a signal), {@code Z} (ended, not reaped)
     * @param group the id of its process group, which is that of the group's leader
     * @param threads that have not ended; of a process whose first one has, the first one is among them
     * @param startTicks when it was started, in clock ticks since boot
     */
    public record Stat(char state, long group, long threads, long startTicks) {

        /**
         * It has ended, though its parent may not have collected it yet. As long as one of its threads has not, it has its files and
         * ports: a killed JVM is called a zombie before it gives them up.
         */
        public boolean ended() {
            return (state == 'Z' || state == 'X') && threads <= 1;
        }

        /** It is stopped by a signal or a debugger. */
        public boolean stopped() {
            return state == 'T' || state == 't';
        }
    }

    private ProcFs() {}

    /** Empty when there is no such process. */
    public static Optional<Stat> stat(long pid) {
        try {
            String[] fields = fields(pid);
            return Optional.of(new Stat(
                    fields[0].charAt(0),
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[THREADS]),
                    Long.parseLong(fields[START_TICKS])));
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty(); // no such process, or it ended while it was read
        }
    }

    /** What the process has used; empty when it has ended or the system does not say. */
    public static Optional<NodeUse> use(long pid) {
        return used(pid).map(used -> new NodeUse(used.process(), used.age(), used.seconds(), used.memory()));
    }

    /**
     * What the process has used with all that it has started, those included that have ended and were collected. Memory that some of them
     * share is counted once: it is the private memory of each, and of the rest that which the largest has.
     */
    public static Optional<NodeUse> useOfTree(long pid) {
        return used(pid).map(root -> {
            // The parent before its children: one that ends in between is missing now, and not counted twice.
            List<Used> all = Stream.concat(
                            Stream.of(root),
                            ProcessHandle.of(pid).stream()
                                    .flatMap(ProcessHandle::descendants)
                                    .flatMap(child -> used(child.pid()).stream()))
                    .toList();
            return new NodeUse(
                    root.process(),
                    root.age(),
                    all.stream()
                            .mapToDouble(each -> each.seconds() + each.reaped())
                            .sum(),
                    all.stream().mapToLong(Used::own).sum()
                            + all.stream()
                                    .mapToLong(each -> each.memory() - each.own())
                                    .max()
                                    .orElse(0));
        });
    }

    /** What all interfaces of a process's network but the loopback one have carried; empty when there is no such process, or the system does not say. */
    public static Optional<NodeUse.Traffic> network(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            long received = 0;
            long sent = 0;
            for (String line : Files.readAllLines(process.resolve("net/dev"))) {
                int colon = line.indexOf(':');
                if (colon >= 0 && !line.substring(0, colon).strip().equals("lo")) {
                    String[] fields = line.substring(colon + 1).strip().split("\\s+");
                    received += Long.parseLong(fields[0]);
                    sent += Long.parseLong(fields[SENT_BYTES]);
                }
            }
            return Optional.of(new NodeUse.Traffic(
                    Files.readSymbolicLink(process.resolve("ns/net")).toString(), received, sent));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /**
     * What one process has used.
     *
     * @param age seconds since it was started
     * @param reaped seconds of its children that have ended and were collected
     * @param own the part of its memory that is not of files, and not shared
     */
    private record Used(String process, double age, double seconds, double reaped, long memory, long own) {}

    private static Optional<Used> used(long pid) {
        try {
            String[] fields = fields(pid);
            Map<String, Long> memory = new HashMap<>();
            Matcher line = RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
            while (line.find()) {
                memory.put(line.group(1), Long.parseLong(line.group(2)) * 1024);
            }
            Long resident = memory.get("VmRSS");
            return resident == null // what has ended has none
                    ? Optional.empty()
                    : Optional.of(new Used(
                            pid + "-" + fields[START_TICKS],
                            age(fields[START_TICKS]),
                            seconds(fields, USER_TICKS, SYSTEM_TICKS),
                            seconds(fields, REAPED_USER_TICKS, REAPED_SYSTEM_TICKS),
                            resident,
                            memory.getOrDefault("RssAnon", resident)));
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static double age(String startTicks) throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ")[0];
        return Math.max(0, Double.parseDouble(uptime) - Long.parseLong(startTicks) / TICKS_A_SECOND);
    }

    private static double seconds(String[] fields, int user, int system) {
        return (Long.parseLong(fields[user]) + Long.parseLong(fields[system])) / TICKS_A_SECOND;
    }

    /** Those of {@code /proc/PID/stat} from the third on (proc_pid_stat(5)). */
    private static String[] fields(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        // The command, in parentheses, may itself contain blanks and parentheses.
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    /** The command line, program first; empty when there is no such process or it has ended. */
    public static List<String> arguments(long pid) {
        String line = commandLine(pid);
        return line.isEmpty() ? List.of() : List.of(line.split("\0"));
    }

    /**
     * The same as it is in the kernel, a NUL after each argument; empty, or without the last NUL, while the process becomes another
     * program.
     */
    static String commandLine(long pid) {
        return Io.or(
                "",
                () -> Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1));
    }

    /** Identifies this boot of the machine; empty when the system has no such id. */
    public static String bootId() {
        return Io.or("", () -> Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                .strip());
    }

    /** Whether this system has {@code /proc}. */
    public static boolean available() {
        return stat(ProcessHandle.current().pid()).isPresent();
    }
}
