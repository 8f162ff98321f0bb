package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.OptionReader;
import java.util.Optional;

/** Whether rows fit into the data nodes' memory, and that into a machine's. Stateless. */
final class NdbMemory {
    /** What a data node takes beside its data memory. */
    private static final double BESIDE_GB = 0.4;

    /**
     * Why a disk table cannot be; empty when nothing says so. Counted are the bytes of the fields alone.
     *
     * @param rowBytes of all rows, once
     * @param freeBytes of the disk that has the data nodes' files
     */
    static Optional<String> diskProblem(NdbOptions options, double rowBytes, double freeBytes) {
        double needed = rowBytes * options.replicas() / (1 << 30);
        double free = freeBytes / (1 << 30);
        return needed > free
                ? Optional.of(Formatted.of(
                        "the data nodes would hold %.0f GB of rows on disk, and there are %.0f GB free; take a machine with more"
                                + " room, the hosts of an inventory (--on FILE), or fewer rows",
                        needed, free))
                : Optional.empty();
    }

    /**
     * Why it cannot be; empty when nothing says so. Counted are the bytes of the fields alone, so what is refused does not fit whatever
     * keys and indexes take.
     *
     * @param rowBytes of all rows that are in memory, once; 0 when they are on disk
     * @param machineBytes memory of this machine
     */
    static Optional<String> problem(NdbOptions options, double rowBytes, double machineBytes) {
        double nodeGb = OptionReader.megabytes(options.dataMemory()) / 1024.0;
        double rowsGb = rowBytes * options.replicas() / options.dataNodes() / (1 << 30);
        double needed = Math.max(nodeGb, rowsGb) + BESIDE_GB;
        String machine = Formatted.of(
                "take a machine with more than %.0f GB of memory, the hosts of an inventory (--on FILE), or fewer rows",
                needed * options.dataNodes());
        if (rowsGb > nodeGb) {
            return Optional.of(Formatted.of(
                    "each data node would hold %.1f GB of rows and has --data-memory %s; give it more, or %s",
                    rowsGb, options.dataMemory(), machine));
        }
        return needed * options.dataNodes() > machineBytes / (1 << 30)
                ? Optional.of(Formatted.of(
                        "%d data nodes with --data-memory %s take %.0f GB, and this machine has %.0f GB of memory; %s",
                        options.dataNodes(),
                        options.dataMemory(),
                        needed * options.dataNodes(),
                        machineBytes / (1 << 30),
                        machine))
                : Optional.empty();
    }
}
