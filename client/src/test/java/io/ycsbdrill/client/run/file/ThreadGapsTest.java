package io.ycsbdrill.client.run.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

/** Two client threads on a clock of the test's own; a call takes no time and ends when the clock says so. */
class ThreadGapsTest {
    private static final long MILLI = 1_000_000;

    private long now;
    private final Timeline timeline =
            new Timeline(new RunClock(() -> now, 0, Instant.EPOCH), 1000 * MILLI, 100 * MILLI);
    private final Operations operations = new Operations();
    private final ThreadRecorder first = new ThreadRecorder(operations, timeline, 0);
    private final ThreadRecorder second = new ThreadRecorder(operations, timeline, 1);
    private final Collector collector = new Collector(List.of(first, second), timeline);
    private final StringWriter file = new StringWriter();

    @Test
    void aThreadThatIsStuckWhileTheOtherGoesOnIsSeen() throws IOException {
        for (long at = 0; at < 4000; at += 100) {
            call(first, at, Status.OK);
            if (at < 500 || at >= 2300) {
                call(second, at, Status.OK);
            }
        }

        assertThat(rows(4000)).containsExactly("1,0.5,2.3");
    }

    @Test
    void failuresAreNoSuccess() throws IOException {
        for (long at = 0; at < 3000; at += 100) {
            call(first, at, at < 1000 || at >= 2000 ? Status.OK : Status.ERROR);
            call(second, at, at < 1000 || at >= 1900 ? Status.OK : Status.ERROR);
        }

        assertThat(rows(3000)).as("the second one's took 0.9 s").containsExactly("0,1,2");
    }

    @Test
    void aThreadThatIsStuckAtTheEndHasNoEnd() throws IOException {
        for (long at = 0; at < 3000; at += 100) {
            call(first, at, Status.OK);
        }
        call(second, 3000, Status.ERROR);

        assertThat(rows(3100)).containsExactly("1,0,");
    }

    @Test
    void whoTakesOverAStuckThreadGoesOnInItsName() throws IOException {
        for (long at = 0; at < 3000; at += 100) {
            call(first, at, Status.OK);
            if (at == 0) {
                call(second, at, Status.OK);
                second.beginTransaction();
                second.begin(Operations.READ);
            }
        }
        ThreadRecorder heir = new ThreadRecorder(operations, timeline, 1);
        collector.add(heir);
        heir.takeOver(second);
        call(first, 3100, Status.OK);
        call(heir, 3200, Status.OK);

        assertThat(rows(3300)).containsExactly("1,0.1,3.2");
    }

    private void call(ThreadRecorder recorder, long atMillis, Status status) {
        now = atMillis * MILLI;
        recorder.beginTransaction();
        recorder.end(Operations.READ, recorder.begin(Operations.READ), status);
        recorder.endTransaction();
    }

    private List<String> rows(long endMillis) throws IOException {
        now = endMillis * MILLI;
        collector.close();
        ThreadGaps gaps = new ThreadGaps(2, 100 * MILLI, new TableWriter(RunTable.THREADS, file));
        for (Optional<IntervalTotals> next = collector.pollClosed(now);
                next.isPresent();
                next = collector.pollClosed(now)) {
            gaps.add(next.get());
        }
        gaps.finish(now);
        gaps.close();
        List<String> lines = file.toString().lines().toList();
        assertThat(lines.get(0)).isEqualTo("thread,from_s,until_s");
        return lines.subList(1, lines.size());
    }
}
