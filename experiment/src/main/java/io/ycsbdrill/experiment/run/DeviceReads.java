package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Io;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How much this machine has read from its disks. What comes from the operating system's cache is not in it, so it tells whether a table
 * that is larger than the memory of its servers was read from disk at all. Linux only. Stateless.
 */
final class DeviceReads {
    private static final Path STATISTICS = Path.of("/proc/diskstats");
    private static final Path DISKS = Path.of("/sys/block");
    /** In which sectors are counted, whatever those of the disk are (Documentation/admin-guide/iostats.rst of Linux). */
    private static final double SECTOR_BYTES = 512;

    private static final int NAME = 2;
    private static final int SECTORS_READ = 5;

    /** Megabytes since the machine was started, of all disks; empty when that is not known. */
    static OptionalDouble megabytes() {
        return Io.or(
                OptionalDouble.empty(),
                () -> megabytes(Files.readString(STATISTICS, StandardCharsets.US_ASCII), DISKS));
    }

    /**
     * The same of a text; partitions, which are in their disks, disks that are made of others, such as volumes of LVM,
     * and disks in memory do not count.
     *
     * @param disks a folder that has an entry for each whole disk
     */
    static OptionalDouble megabytes(String statistics, Path disks) {
        double sectors;
        try (Stream<String> lines = statistics.lines()) {
            sectors = lines.map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields.length > SECTORS_READ)
                    .filter(fields -> !fields[NAME].matches("(loop|ram|zram).*"))
                    .filter(fields -> Files.exists(disks.resolve(fields[NAME])))
                    .filter(fields -> !isMadeOfOthers(disks.resolve(fields[NAME])))
                    .mapToDouble(fields -> Double.parseDouble(fields[SECTORS_READ]))
                    .sum();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
        return sectors == 0 ? OptionalDouble.empty() : OptionalDouble.of(sectors * SECTOR_BYTES / 1e6);
    }

    private static boolean isMadeOfOthers(Path disk) {
        return Io.or(false, () -> !Io.list(disk.resolve("slaves")).isEmpty()); // most have no such folder
    }
}
