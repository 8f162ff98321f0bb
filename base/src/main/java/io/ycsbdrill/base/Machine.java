package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where and as whom a process runs, as far as process ids and files depend on it. Any text is empty where the system does not tell.
 * Immutable.
 *
 * @param machine the machine's id, which it keeps when it is restarted
 * @param host its name
 * @param boot id of this boot
 * @param processes the namespace of process ids: another one has other processes with the same ids
 * @param user the effective user's number, outside a user namespace
 */
public record Machine(String machine, String host, String boot, String processes, String user) {

    /** That of this process. */
    public static Machine here() {
        return new Machine(
                line("/etc/machine-id")
                        .or(() -> line("/var/lib/dbus/machine-id"))
                        .orElse(""),
                line("/proc/sys/kernel/hostname").orElse(""),
                line("/proc/sys/kernel/random/boot_id").orElse(""),
                link("/proc/self/ns/pid"),
                effectiveUser());
    }

    /**
     * Why process ids that were recorded there say nothing here; empty when they do, or when no process of then can still run,
     * as this machine has been restarted since.
     */
    Optional<String> foreignTo(Machine recorded) {
        if (!recorded.user.equals(user)) {
            return Optional.of("user " + recorded.user + " made it, and this process runs as user " + user);
        }
        if (!recorded.boot.equals(boot)) {
            boolean restarted = !machine.isEmpty() && recorded.machine.equals(machine) && recorded.host.equals(host);
            return restarted
                    ? Optional.empty()
                    : Optional.of("it was made on another machine (" + recorded.host + "), where it may be in use");
        }
        if (!recorded.processes.equals(processes)) {
            return Optional.of("it was made in another PID namespace (" + recorded.processes + ", here "
                    + (processes.isEmpty() ? "unknown" : processes)
                    + "), as in another container, where it may be in use");
        }
        return Optional.empty();
    }

    private static Optional<String> line(String file) {
        return Io.or(
                Optional.empty(),
                () -> Optional.of(Files.readString(Path.of(file)).strip()).filter(text -> !text.isEmpty()));
    }

    private static String link(String file) {
        return Io.or("", () -> Files.readSymbolicLink(Path.of(file)).toString());
    }

    /** A user namespace shows its maker as root; its map has the number outside. */
    private static String effectiveUser() {
        try {
            String[] ids = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(each -> each.startsWith("Uid:"))
                    .findFirst()
                    .orElse("")
                    .split("\\s+");
            long inside = Long.parseLong(ids[2]);
            for (String each : Files.readAllLines(Path.of("/proc/self/uid_map"))) {
                String[] range = each.strip().split("\\s+");
                long from = Long.parseLong(range[0]);
                if (inside >= from && inside < from + Long.parseLong(range[2])) {
                    return Long.toString(inside - from + Long.parseLong(range[1]));
                }
            }
            return ids[2];
        } catch (IOException | RuntimeException e) {
            return System.getProperty("user.name");
        }
    }
}
