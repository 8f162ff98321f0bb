package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceReadsTest {
    @TempDir
    private Path disks;

    @Test
    void addsUpWholeDisksOnly() throws IOException {
        for (String disk : new String[] {"sda", "nvme0n1", "loop0", "zram0"}) {
            Files.createDirectories(disks.resolve(disk).resolve("slaves"));
        }
        Files.createDirectories(disks.resolve("dm-0/slaves/sda"));
        Files.createDirectories(disks.resolve("dm-1/slaves/dm-0"));
        Files.createDirectory(disks.resolve("sdb"));

        assertThat(DeviceReads.megabytes("""
                   8       0 sda 10 0 2000 5 0 0 0 0 0 0 0
                   8       1 sda1 10 0 2000 5 0 0 0 0 0 0 0
                 259       0 nvme0n1 1 0 4000 5 0 0 0 0 0 0 0
                 253       0 dm-0 10 0 2000 5 0 0 0 0 0 0 0
                 253       1 dm-1 10 0 2000 5 0 0 0 0 0 0 0
                   8      16 sdb 1 0 8000 5 0 0 0 0 0 0 0
                   7       0 loop0 1 0 9999 5 0 0 0 0 0 0 0
                 252       0 zram0 1 0 9999 5 0 0 0 0 0 0 0
                """, disks)).hasValue(14000 * 512 / 1e6);
    }

    @Test
    void nothingIsKnownWithoutDisks() {
        assertThat(DeviceReads.megabytes("", disks)).isEmpty();
        assertThat(DeviceReads.megabytes("not a table\n", disks)).isEmpty();
    }
}
