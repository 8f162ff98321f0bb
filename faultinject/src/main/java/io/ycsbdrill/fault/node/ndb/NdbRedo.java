package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;

/**
 * The REDO logs of a local cluster's data nodes: four parts of equally many files. Small ones start in a second, and soon are full
 * when much is loaded at once (error 410).
 *
 * @param files in each part
 * @param fileSize as NDB writes it
 * @param full whether an initial start writes the files in full; otherwise they are made sparse
 * @param direct whether they and checkpoints are written around the operating system's cache
 */
record NdbRedo(int files, String fileSize, boolean full, boolean direct) {
    private static final int PARTS = 4;

    static final Option FILES = new Option(
            "redo-files",
            "8",
            "REDO log files in each of 4 parts, 3 to 512 (NoOfFragmentLogFiles); see redo-file-size");
    static final Option FILE_SIZE = new Option(
            "redo-file-size",
            "16M",
            "size of each, 4M to 1G (FragmentLogFileSize); a data node has 4 x redo-files x redo-file-size on disk");
    static final Option FULL = new Option(
            "redo-full",
            "false",
            "an initial start writes the REDO log files in full, as RonDB does (InitFragmentLogFiles)");
    static final Option DIRECT =
            new Option("odirect", "false", "data nodes write around the operating system's cache (ODirect)");

    static NdbRedo read(OptionReader reader) {
        String size = reader.size(FILE_SIZE.name(), 4);
        if (OptionReader.megabytes(size) > 1024) {
            reader.problem("--redo-file-size " + size + ": expected at most 1G");
        }
        return new NdbRedo(
                reader.number(FILES.name(), 3, 512), size, reader.flag(FULL.name()), reader.flag(DIRECT.name()));
    }

    /** Lines of {@code config.ini}. */
    String lines() {
        return "FragmentLogFileSize=" + fileSize + "\nNoOfFragmentLogFiles=" + files + "\nNoOfFragmentLogParts=" + PARTS
                + "\nInitFragmentLogFiles=" + (full ? "FULL" : "SPARSE") + "\nODirect=" + (direct ? 1 : 0) + "\n";
    }
}
