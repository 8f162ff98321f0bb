package io.ycsbdrill.fault.node.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads facts about processes from {@code /proc}, for the engines' controllers. Stateless and thread-safe. */
public final class ProcFs {

    /**
     * A process.
     *
     * @param state the kernel's letter: {@code R}, {@code S}, {@code T} (stopped by a signal), {@code Z} (ended, not reaped)
     * @param group the id of its process group, which is that of the group's leader
     * @param startTicks when it was started, in clock ticks since boot
     */
    public record Stat(char state, long group, long startTicks) {

        /** It has ended, though its parent may not have collected it yet. */
        public boolean ended() {
            return state == 'Z' || state == 'X';
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
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            // The command, in parentheses, may itself contain blanks and parentheses.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Optional.of(new Stat(fields[0].charAt(0), Long.parseLong(fields[2]), Long.parseLong(fields[19])));
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty(); // no such process, or it ended while it was read
        }
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
