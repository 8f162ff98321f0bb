package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stretches in which single client threads completed no call successfully, from {@code threads.csv}: those of a second or more.
 *
 * @param gaps in the order of the file
 */
public record ThreadGaps(List<Gap> gaps) {
    /**
     * One stretch of one thread.
     *
     * @param thread its number, for display; with that of its client, where there are several
     * @param fromSeconds end of the slice of the last success, since run start; 0 when there was none
     * @param untilSeconds start of the slice of the next success; infinite when there was none
     */
    public record Gap(String thread, double fromSeconds, double untilSeconds) {
        public double seconds() {
            return untilSeconds - fromSeconds;
        }
    }

    public ThreadGaps {
        gaps = List.copyOf(gaps);
    }

    /** Reads those of a run; empty when it has none, as an older one, or when a line of it is damaged or cut off. */
    static Optional<ThreadGaps> read(Path directory, List<Problem> problems) {
        Path path = directory.resolve(RunTable.THREADS.file());
        if (!Files.isRegularFile(path)) {
            return Optional.empty();
        }
        List<Gap> gaps = new ArrayList<>();
        TextFile file = TextFile.read(path);
        new CsvFile(file, problems, RunTable.THREADS.required())
                .forEach(row -> gaps.add(new Gap(
                        (row.text("client").isEmpty() ? "" : "client " + row.text("client") + ", ") + "thread "
                                + row.count("thread"),
                        row.required("from_s"),
                        row.number("until_s").orElse(Double.POSITIVE_INFINITY))));
        file.noteCutOff(problems);
        return problems.isEmpty() ? Optional.of(new ThreadGaps(gaps)) : Optional.empty();
    }
}
