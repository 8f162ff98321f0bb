package io.ycsbdrill.fault.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system of its own, in memory. Only root can have one. */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts it on a folder; the test is skipped where that cannot be done. */
    public static SmallDisk mount(Path folder, int megabytes) throws IOException {
        Files.createDirectories(folder);
        ProgramOutput output = ProgramOutput.of(
                List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "ycsb-drill-test", folder.toString()));
        assumeTrue(
                output.exit() == 0,
                () -> "no file system can be mounted: " + output.text().strip());
        return new SmallDisk(folder);
    }

    /** Of which nobody has taken anything. */
    public long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    @Override
    public void close() throws IOException {
        ProgramOutput output = ProgramOutput.of(List.of("umount", "-l", folder.toString()));
        if (output.exit() != 0) {
            throw new IOException(folder + " stays mounted: " + output.text());
        }
    }
}
