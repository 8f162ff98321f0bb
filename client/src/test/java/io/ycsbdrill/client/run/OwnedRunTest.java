package io.ycsbdrill.client.run;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.KeyOwners;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;
import site.ycsb.Status;

/** A run on a binding that tells the owners of the keys: even numbers are a's, odd ones b's. */
class OwnedRunTest {
    @TempDir
    private Path directory;

    /** Moves all keys to b when it is asked for the second time. */
    public static final class Owning extends ScriptedDb implements KeyOwners {
        static final AtomicInteger ASKED = new AtomicInteger();
        static volatile Exception failure;

        @Override
        public Owners owners(String table) throws Exception {
            if (failure != null) {
                throw failure;
            }
            return Owners.of(ASKED.incrementAndGet() == 1 ? List.of("a", "b") : List.of("b", "b"));
        }

        @Override
        public int partition(String table, String key) {
            return odd(key) ? 1 : 0;
        }
    }

    private static boolean odd(String key) {
        return (key.charAt(key.length() - 1) - '0') % 2 == 1;
    }

    private static final BindingFactory BINDINGS = new BindingFactory() {
        @Override
        public DB make(String bindingClass) {
            return new Owning();
        }

        @Override
        public int firstThread() {
            return 0;
        }

        @Override
        public Object workloadState(int thread, int threads) {
            return null;
        }
    };

    @BeforeEach
    void start() {
        Owning.ASKED.set(0);
        Owning.failure = null;
        ScriptedDb.reset((operation, key) -> operation.equals("READ") ? odd(key) ? Status.ERROR : Status.OK : null);
    }

    private RunFiles run(Specs specs) {
        Path out = directory.resolve("run");
        RunSpec spec =
                specs.binding(Owning.class.getName()).threads(2).part(1, 2).in(out);
        RunResult result = new BenchmarkRun(spec, List.of()).execute();
        assertThat(result.reasons()).isEmpty();
        return new RunFiles(out);
    }

    @Test
    void eachOperationCountsForTheOwnerOfItsKey() throws Exception {
        RunFiles files = run(Specs.aRun(4000).with("readproportion", "1").with("updateproportion", "0"));

        long a = files.sum("owners.csv", "a", "ok");
        long b = files.sum("owners.csv", "b", "failed");
        assertThat(a).isPositive().isEqualTo(files.sum("slices.csv", "TOTAL", "ok"));
        assertThat(b).isPositive().isEqualTo(files.sum("slices.csv", "TOTAL", "failed"));
        assertThat(files.sum("owners.csv", "a", "failed")).isZero();
        assertThat(files.json("run.json").at("/keyOwners/partitions").toString())
                .isEqualTo("[\"a\",\"b\"]");
    }

    @Test
    void keysThatMoveKeepTheirFirstOwnerAndTheMoveIsTold() throws Exception {
        RunSpec spec = Specs.aRun(1).binding(Owning.class.getName()).part(1, 2).in(directory.resolve("run"));

        OwnerWatch watch =
                OwnerWatch.start(spec, BINDINGS, ofSeconds(20), ofMillis(1)).orElseThrow();
        watch.running(RunClock.startingNow());
        while (Owning.ASKED.get() < 4) {
            Thread.onSpinWait();
        }
        watch.end();
        watch.join();

        assertThat(watch.ownership().nodes()).containsExactly("a", "b");
        JsonNode changes = watch.ownership().json().path("changes");
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).path("partitionsMoved").asLong()).isEqualTo(1);
        assertThat(ScriptedDb.CLEANED).hasValue(1);
    }

    @Test
    void aClusterThatIsSilentDoesNotKeepTheRunFromStarting() throws Exception {
        CountDownLatch silent = new CountDownLatch(1);
        ScriptedDb.reset((operation, key) -> {
            silent.await();
            return null;
        });
        RunSpec spec = Specs.aRun(1).binding(Owning.class.getName()).part(1, 2).in(directory.resolve("run"));

        OwnerWatch watch =
                OwnerWatch.start(spec, BINDINGS, ofMillis(1), ofMillis(1)).orElseThrow();
        Ownership before = watch.ownership();
        silent.countDown();
        watch.join();

        assertThat(before.isKnown()).isFalse();
        assertThat(watch.ownership()).as("what comes late does not count").isSameAs(before);
    }

    @Test
    void aPlainRunAndABindingThatCannotTellAreNotWatched() throws Exception {
        RunSpec plain = Specs.aRun(1).binding(Owning.class.getName()).in(directory.resolve("a"));
        RunSpec silent = Specs.aRun(1).part(1, 2).in(directory.resolve("b"));

        assertThat(OwnerWatch.start(plain, BINDINGS, ofSeconds(1), ofSeconds(1)))
                .isEmpty();
        assertThat(OwnerWatch.start(silent, BINDINGS, ofSeconds(1), ofSeconds(1)))
                .isEmpty();
    }

    @Test
    void aClusterThatDoesNotSayIsAReasonAndNoFailure() throws Exception {
        Owning.failure = new IllegalStateException("no SQL node");

        RunFiles files = run(Specs.aRun(100));

        assertThat(files.json("run.json").at("/keyOwners/reason").asText()).contains("no SQL node");
        assertThat(Files.exists(directory.resolve("run/owners.csv"))).isFalse();
    }
}
