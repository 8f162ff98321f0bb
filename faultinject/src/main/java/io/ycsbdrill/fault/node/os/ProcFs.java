package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.NodeUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads facts about processes from {@code /proc}, for the engines' controllers. Stateless and thread-safe. */
public final class ProcFs {
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int THREADS = 17;
    private static final int START_TICKS = 19;
    /** {@code USER_HZ}, the unit of times in {@code /proc}: the same wherever a JVM runs. */
    private static final double TICKS_A_SECOND = 100;

    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");

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
        try {
            String[] fields = fields(pid);
            Matcher memory = RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
            return memory.find() // what has ended has none
                    ? Optional.of(new NodeUse(
                            pid + "-" + fields[START_TICKS],
                            (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]))
                                    / TICKS_A_SECOND,
                            Long.parseLong(memory.group(1)) * 1024))
                    : Optional.empty();
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** Those of {@code /proc/PID/stat} from the third on (proc_pid_stat(5)). */
    private static String[] fields(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        // The command, in parentheses, may itself contain blanks and parentheses.
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    /** Whether the process runs, stopped or not, and has the argument on its command line. */
    public static boolean runs(long pid, String argument) {
        return !stat(pid).map(Stat::ended).orElse(true) && arguments(pid).contains(argument);
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
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Identifies this boot of the machine; empty when the system has no such id. */
    public static String bootId() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether this system has {@code /proc}. */
    public static boolean available() {
        return stat(ProcessHandle.current().pid()).isPresent();
    }
}
