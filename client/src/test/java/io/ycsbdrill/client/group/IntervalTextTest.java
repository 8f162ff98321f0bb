package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalTextTest {
    private static final long SLICE = Timeline.SLICE_NANOS;

    @Test
    void aLineSaysWhatWasRecordedWhateverNumbersTheOtherSideGivesToTheNames() {
        Operations names = new Operations();
        int order = names.whole("NEW_ORDER");
        int verify = names.id("VERIFY");
        IntervalTotals interval = new IntervalTotals(7, 14 * SLICE, 16 * SLICE - 5, SLICE);
        Recorded.add(interval, Operations.READ, Outcome.OK, 0, 1_000, 2_000);
        Recorded.add(interval, Operations.READ, Outcome.FAILED, 1, 9_000);
        Recorded.add(interval, order, Outcome.UNKNOWN, 1, 5_000);
        Recorded.add(interval, verify, Outcome.OK, 1, 70);
        interval.addSkipped(1, 11);
        ServedSecond second = new ServedSecond(3, 2, 1, 5, Double.NaN, 0.125, 0.25);

        String line = IntervalText.write(interval, names, Optional.of(second));
        Operations others = new Operations();
        others.whole("PAYMENT");
        others.id("READ-MODIFY-WRITE");
        IntervalTotals read = IntervalText.read(IntervalText.parse(line), others, SLICE);

        assertThat(line).doesNotContain("\n");
        assertThat(IntervalText.second(IntervalText.parse(line))).contains(second);
        assertThat(read.index()).isEqualTo(7);
        assertThat(read.startNanos()).isEqualTo(14 * SLICE);
        assertThat(read.endNanos()).isEqualTo(16 * SLICE - 5);
        assertThat(read.skipped(0)).isZero();
        assertThat(read.skipped(1)).isEqualTo(11);
        assertThat(read.operations()).hasSize(3);
        OperationTotals reads = read.operations().get(Operations.READ);
        assertThat(reads.count(Outcome.OK)).isEqualTo(2);
        assertThat(reads.count(Outcome.FAILED)).isEqualTo(1);
        assertThat(reads.service(Outcome.OK))
                .isEqualTo(interval.operations().get(Operations.READ).service(Outcome.OK));
        assertThat(reads.response(Outcome.OK)).isNull();
        assertThat(read.sliced().get(Operations.READ).count(Outcome.OK, 0)).isEqualTo(2);
        assertThat(read.sliced().get(Operations.READ).maxServiceNanos()).containsExactly(2_000, 9_000);
        int sameOrder = others.whole("NEW_ORDER");
        assertThat(sameOrder).isNotEqualTo(order);
        assertThat(Operations.isCall(sameOrder)).isTrue();
        assertThat(read.operations().get(sameOrder).count(Outcome.UNKNOWN)).isEqualTo(1);
        assertThat(Operations.isCall(others.id("VERIFY"))).isFalse();
        assertThat(read.operations().get(others.id("VERIFY")).count(Outcome.OK)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "not JSON",
                "{\"index\":1}",
                "{\"index\":1,\"start\":5,\"end\":100000000}",
                "{\"index\":0,\"start\":0,\"end\":100000000,\"skipped\":[1,2]}",
                "{\"index\":0,\"start\":0,\"end\":100000000,\"operations\":{\"READ\":{\"times\":[{}]}}}",
                "{\"index\":0,\"start\":0,\"end\":100000000,\"operations\":{\"READ\":{\"times\":[{\"operation\":\"READ\",\"measure\":\"service\",\"histogram\":\"AAAAAAAAAAAAAAAA\"}]}}}",
                "{\"index\":0,\"start\":0,\"end\":100000000,\"operations\":{\"READ\":{\"ok\":[1,2]}}}",
                "{\"index\":0,\"start\":0,\"end\":100000000,\"operations\":{\"READ\":{\"ok\":[1],\"max\":[]}}}"
            })
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> IntervalText.read(IntervalText.parse(line), new Operations(), SLICE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
