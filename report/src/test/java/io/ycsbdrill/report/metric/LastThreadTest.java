package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of 60 s with one fault at 30 s, after which service as a whole is back at 32 s. */
class LastThreadTest {
    private static final Offset<Double> EXACT = within(1e-6);

    @TempDir
    private Path directory;

    private Measure measure(String rows) throws IOException {
        return metrics("thread,from_s,until_s\n" + rows).get(Metric.LAST_THREAD);
    }

    private DrillMetrics metrics(String file) throws IOException {
        Path run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 30 && t < 32 ? 0 : 1000, t -> 300)
                .marker(30, "fault-started", "pause", "node1", "")
                .marker(32, "fault-ended", "pause", "node1", "")
                .writeTo(directory.resolve("run"));
        if (!file.isEmpty()) {
            Files.writeString(run.resolve("threads.csv"), file);
        }
        return DrillMetrics.of(RunData.read(run));
    }

    @Test
    void theLastOfTheThreadsThatWereStoppedCounts() throws IOException {
        Measure last = measure("0,29.9,32\n3,30,41.5\n1,30.1,32.1\n");

        assertThat(last.value().orElseThrow()).isCloseTo(11.5, EXACT);
        assertThat(last.note()).isEqualTo("thread 3; 3 client threads without a success for 1.0 s or more");
        assertThat(last.censored()).isFalse();
    }

    @Test
    void itIsALimit() throws IOException {
        for (double allowed : new double[] {11, 12}) {
            Verdict verdict = Verdict.of(
                    metrics("thread,from_s,until_s\n3,30,41.5\n"),
                    JsonNodeFactory.instance.objectNode().put("maxLastThreadBackSeconds", allowed));

            assertThat(verdict.outcome()).isEqualTo(allowed < 11.5 ? Verdict.Outcome.FAIL : Verdict.Outcome.PASS);
        }
    }

    @Test
    void aThreadThatNeverCameBackIsCensored() throws IOException {
        Measure last = measure("0,30,32\n7,31.9,\n");

        assertThat(last.value().orElseThrow()).isCloseTo(30, EXACT);
        assertThat(last.censored()).isTrue();
        assertThat(last.note()).startsWith("thread 7");
    }

    @Test
    void whatBeganLongAfterServiceWasBackIsNotOfThisFault() throws IOException {
        assertThat(measure("0,30,32\n3,50,52\n").value().orElseThrow()).isCloseTo(2, EXACT);
        assertThat(measure("3,34.9,36\n").value().orElseThrow())
                .as("within the first five seconds")
                .isCloseTo(6, EXACT);
        assertThat(measure("3,35,36.5\n").value()).hasValue(0);
    }

    @Test
    void aThreadThatWasStuckBeforeTheFaultIsNotStoppedByIt() throws IOException {
        assertThat(measure("3,10.5,11.6\n2,15,40\n").value()).hasValue(0);
    }

    @Test
    void pausesLikeThoseBeforeTheFaultAreNone() throws IOException {
        assertThat(measure("3,20,22\n3,30,33.9\n").value()).hasValue(0);
        assertThat(measure("3,20,22\n3,30,34\n").value().orElseThrow()).isCloseTo(4, EXACT);
    }

    @Test
    void threadsWithTooLittleToDoSayNothing() throws IOException {
        Measure last = measure("3,20,25.1\n3,30,34\n");

        assertThat(last.value()).isEmpty();
        assertThat(last.note()).isEqualTo("client threads had pauses of up to 5.1 s before the fault, too");
    }

    @Test
    void runsWithoutAnIntactFileHaveNoSuchFigure() throws IOException {
        assertThat(metrics("").get(Metric.LAST_THREAD).note()).isEqualTo("no intact threads.csv");
    }

    @Test
    void damagedLinesAreNotGuessed() throws IOException {
        assertThat(measure("0,30,32\n3,x,41\n").note()).isEqualTo("no intact threads.csv");
    }

    @Test
    void ofSeveralClientsTheThreadIsNamedWithItsClient() throws IOException {
        Measure last =
                metrics("client,thread,from_s,until_s\n1,3,30,33\n2,3,30,38\n").get(Metric.LAST_THREAD);

        assertThat(last.note()).isEqualTo("client 2, thread 3; 2 client threads without a success for 1.0 s or more");
    }
}
