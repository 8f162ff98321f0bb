package io.ycsbdrill.client.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process and its machine have used so far: processors, garbage collection. Thread-safe. */
final class ClientLoad {
    private static final Path STAT = Path.of("/proc/stat");

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(bean -> !bean.getName().matches(".*(Cycles|Concurrent).*")) // these go on beside the program
            .toList();

    /**
     * Counters at one moment.
     *
     * @param machine the fields of the line {@code cpu} of {@code /proc/stat} (proc_stat(5)): user, nice, system, idle, iowait, irq,
     *     softirq, steal; empty where there is none
     */
    record Reading(long nanoTime, long cpuNanos, long gcMillis, long[] machine) {
        private static final int IDLE = 3;
        private static final int IOWAIT = 4;
        private static final int STEAL = 7;

        /** What was used since an earlier one. */
        Use since(Reading before) {
            double all = 0;
            long[] used = new long[Math.min(machine.length, before.machine.length)];
            for (int i = 0; i < used.length; i++) {
                used[i] = machine[i] - before.machine[i];
                all += used[i];
            }
            boolean known = used.length > STEAL && all > 0;
            return new Use(
                    gcMillis - before.gcMillis,
                    (double) (cpuNanos - before.cpuNanos) / Math.max(1, nanoTime - before.nanoTime),
                    known ? (used[IDLE] + used[IOWAIT]) / all : Double.NaN,
                    known ? used[STEAL] / all : Double.NaN);
        }
    }

    /**
     * What was used between two readings.
     *
     * @param gcMillis for which the program stood still
     * @param clientCpus processors that this process kept busy
     * @param idle share of the machine's processor time; NaN when unknown
     * @param steal share that the hypervisor gave to others; NaN when unknown
     */
    record Use(long gcMillis, double clientCpus, double idle, double steal) {}

    Reading read() {
        return new Reading(
                System.nanoTime(),
                system.getProcessCpuTime(),
                collectors.stream()
                        .mapToLong(bean -> Math.max(0, bean.getCollectionTime()))
                        .sum(),
                machine());
    }

    private static long[] machine() {
        try (var lines = Files.lines(STAT)) {
            return lines.findFirst().map(ClientLoad::fields).orElse(new long[0]);
        } catch (IOException | RuntimeException e) {
            return new long[0];
        }
    }

    static long[] fields(String line) {
        String[] words = line.strip().split("\\s+");
        long[] fields = new long[Math.min(8, words.length - 1)];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = Long.parseLong(words[i + 1]);
        }
        return fields;
    }
}
