package io.ycsbdrill.fault.node.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What Linux tells about processes. Stateless. */
final class ProcFs {

    /**
     * A process.
     *
     * @param state the kernel's letter: {@code R}, {@code S}, {@code T} (stopped by a signal), {@code Z} (ended, not reaped)
     * @param startTicks when it was started, in clock ticks since boot
     */
    record Stat(char state, long startTicks) {

        boolean ended() {
            return state == 'Z' || state == 'X';
        }

        boolean stopped() {
            return state == 'T' || state == 't';
        }
    }

    private ProcFs() {}

    /** Empty when there is no such process. */
    static Optional<Stat> stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            // The command, in parentheses, may itself contain blanks and parentheses.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Optional.of(new Stat(fields[0].charAt(0), Long.parseLong(fields[19])));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether the process runs, stopped or not, and has the argument on its command line. */
    static boolean runs(long pid, String argument) {
        if (stat(pid).map(Stat::ended).orElse(true)) {
            return false;
        }
        try {
            String line =
                    Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
            for (String each : line.split("\0")) {
                if (each.equals(argument)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    /** Identifies this boot of the machine; empty when the system does not tell. */
    static String bootId() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether this system has what the embedded cluster needs of it. */
    static boolean available() {
        return stat(ProcessHandle.current().pid()).isPresent();
    }
}
