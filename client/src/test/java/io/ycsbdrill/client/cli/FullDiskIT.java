package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import io.ycsbdrill.report.data.RunData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** An audited run on a disk that becomes full: a file system of a few megabytes, which only the child's own mount namespace has. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class FullDiskIT {
    private static final String ACKNOWLEDGED = "test.acknowledged.file";

    @TempDir
    private Path directory;

    /** Rows in memory; writes down how many writes it has acknowledged. */
    public static final class CountingDb extends DB {
        private static final Map<String, Map<String, String>> ROWS = new ConcurrentHashMap<>();
        private static final AtomicLong ACKNOWLEDGED_WRITES = new AtomicLong();

        @Override
        public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
            Map<String, String> row = ROWS.get(key);
            if (row == null) {
                return Status.NOT_FOUND;
            }
            row.forEach((field, value) -> result.put(field, new StringByteIterator(value)));
            return Status.OK;
        }

        @Override
        public Status update(String table, String key, Map<String, ByteIterator> values) {
            ROWS.merge(key, StringByteIterator.getStringMap(values), (before, now) -> {
                Map<String, String> all = new HashMap<>(before);
                all.putAll(now);
                return all;
            });
            ACKNOWLEDGED_WRITES.incrementAndGet();
            return Status.OK;
        }

        @Override
        public Status insert(String table, String key, Map<String, ByteIterator> values) {
            return update(table, key, values);
        }

        @Override
        public Status delete(String table, String key) {
            return Status.NOT_IMPLEMENTED;
        }

        @Override
        public Status scan(
                String table,
                String startkey,
                int recordcount,
                Set<String> fields,
                Vector<HashMap<String, ByteIterator>> result) {
            return Status.NOT_IMPLEMENTED;
        }

        @Override
        public void cleanup() {
            try {
                Files.writeString(
                        Path.of(getProperties().getProperty(ACKNOWLEDGED)), Long.toString(ACKNOWLEDGED_WRITES.get()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aFullDiskEndsTheRunWithAnErrorAndLosesNothingThatWasAcknowledged() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        assumeTrue(
                mounts(small),
                "this machine lets nobody mount a file system in a user namespace of his own (unshare -rm)");
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=1000
                operationcount=100000000
                readproportion=0
                updateproportion=1
                fieldcount=1
                """);
        Path acknowledged = directory.resolve("acknowledged");
        List<String> command =
                inSmall(small, "\"$@\"; code=$?; cp -r \"$0\"/run \"$0\"/../kept || code=99; exit $code");
        command.addAll(Child.ycsb(
                "run",
                CountingDb.class.getName(),
                "-P",
                "w",
                "--audit",
                "-threads",
                "2",
                "-p",
                ACKNOWLEDGED + "=" + acknowledged,
                "--out",
                small + "/run"));

        try (Child child = new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), command)) {
            assertThat(child.exitCode())
                    .as("the run failed; neither did its JVM crash: %s", child.err())
                    .isEqualTo(1);
            assertThat(child.err())
                    .contains("--audit: the journal", "cannot grow: No space left on device; what is in it is complete")
                    .doesNotContain("SIGBUS", "InternalError", "Exception", "java.base")
                    .contains("audit: 0 acknowledged writes lost");
        }
        RunData run = RunData.read(directory.resolve("kept"));
        assertThat(run.state()).isEqualTo("incomplete");
        assertThat(run.unsound()).anyMatch(why -> why.contains("cannot grow: No space left on device"));
        assertThat(run.audit().orElseThrow().ackedLost()).isZero();
        assertThat(directory.resolve("kept/report.html")).isNotEmptyFile();
        WriteHistory history = new WriteHistory(Audit.journals(directory.resolve("kept")), List.of("field0"));
        assertThat(history.count(Outcome.OK) + history.count(Outcome.UNKNOWN))
                .as("every write that was acknowledged is in the journals")
                .isGreaterThanOrEqualTo(Long.parseLong(Files.readString(acknowledged)));
        assertThat(history.count(Outcome.UNKNOWN))
                .as("at most one of each thread")
                .isLessThanOrEqualTo(2);
        assertThat(history.count(Outcome.OK)).isGreaterThan(10_000);
    }

    private static boolean mounts(Path small) throws Exception {
        try {
            return new ProcessBuilder(inSmall(small, "exit 0"))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    /** A shell that has a small file system at this place, which is its {@code $0}; what follows are its arguments. */
    private static List<String> inSmall(Path small, String then) {
        return new ArrayList<>(List.of(
                "unshare",
                "-rm",
                "sh",
                "-c",
                "mount -t tmpfs -o size=5m tmpfs \"$0\" || exit 98; " + then,
                small.toString()));
    }
}
