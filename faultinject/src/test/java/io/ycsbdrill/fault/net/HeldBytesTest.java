package io.ycsbdrill.fault.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.ycsbdrill.fault.net.Disturbance.Blackhole;
import io.ycsbdrill.fault.net.Disturbance.Conditions;
import io.ycsbdrill.fault.net.Disturbance.Delay;
import io.ycsbdrill.fault.net.Disturbance.Throttle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldBytesTest {
    private static final long MS = 1_000_000L;

    private Conditions conditions = stream();
    private final HeldBytes held = new HeldBytes(() -> conditions, new SplittableRandom(1), List.of());

    @AfterEach
    void nothingIsLeaked() {
        held.release();
        assertThat(held.size()).isZero();
    }

    @Test
    void delayedBytesGoWhenTheirTimeHasCome() {
        conditions = stream(delay(50, 0));
        add("a", 0);
        add("b", 10 * MS);

        assertThat(held.waitNanos(0)).isEqualTo(50 * MS);
        assertThat(held.take(49 * MS)).isNull();
        assertThat(text(held.take(50 * MS))).isEqualTo("a");
        assertThat(held.waitNanos(50 * MS)).isEqualTo(10 * MS);
        assertThat(text(held.take(60 * MS))).isEqualTo("b");
        assertThat(held.waitNanos(60 * MS)).isEqualTo(HeldBytes.NEVER);
    }

    @Test
    void jitterStaysInItsRangeAndKeepsTheOrder() {
        conditions = stream(delay(10, 40));
        long last = 0;
        for (int i = 0; i < 500; i++) {
            held.add(Unpooled.wrappedBuffer(new byte[] {(byte) i}), i * MS);
        }
        for (int i = 0; i < 500; i++) {
            long due = last + held.waitNanos(last);
            ByteBuf next = held.take(due);
            assertThat(next.readByte()).isEqualTo((byte) i);
            next.release();
            assertThat(due).isGreaterThanOrEqualTo(i * MS + 10 * MS).isLessThanOrEqualTo(i * MS + 50 * MS);
            last = due;
        }
    }

    @Test
    void delaysThatAreInForceTogetherAddUp() {
        conditions = stream(delay(10, 0), delay(5, 0));
        add("a", 0);

        assertThat(held.waitNanos(0)).isEqualTo(15 * MS);
    }

    @Test
    void throttledBytesGoInPiecesAtTheRate() {
        conditions = stream(new Throttle(10_000, Direction.BOTH), new Throttle(90_000, Direction.BOTH));
        held.add(Unpooled.wrappedBuffer(new byte[1000]), 0);

        long now = 0;
        int bytes = 0;
        while (!held.isEmpty()) {
            now += held.waitNanos(now);
            ByteBuf piece = held.take(now);
            assertThat(piece.readableBytes()).isLessThanOrEqualTo(100);
            bytes += piece.readableBytes();
            piece.release();
        }

        assertThat(bytes).isEqualTo(1000);
        // The last piece of 100 bytes leaves when the 900 before it have had their 90 ms.
        assertThat(now).isEqualTo(90 * MS);
    }

    @Test
    void throttledBytesKeepTheRateAlthoughTimersAreLate() {
        conditions = stream(new Throttle(10_000, Direction.BOTH));
        held.add(Unpooled.wrappedBuffer(new byte[1000]), 0);

        long now = 0;
        while (!held.isEmpty()) {
            now += held.waitNanos(now) + 3 * MS;
            held.take(now).release();
        }

        // As without the lateness, but for that of the last piece.
        assertThat(now).isEqualTo(93 * MS);
    }

    @Test
    void aLongAbsenceIsMadeUpForByOnePiece() {
        conditions = stream(new Throttle(10_000, Direction.BOTH));
        held.add(Unpooled.wrappedBuffer(new byte[1000]), 0);
        held.take(0).release();

        held.take(900 * MS).release();
        held.take(900 * MS).release();

        assertThat(held.take(900 * MS)).isNull();
        assertThat(held.waitNanos(900 * MS)).isEqualTo(10 * MS);
        assertThat(held.size()).isEqualTo(700);
    }

    /** They had nothing to wait for before they came. */
    @Test
    void bytesAfterAPauseHaveNoTimeToMakeUpFor() {
        conditions = stream(new Throttle(10_000, Direction.BOTH));
        held.add(Unpooled.wrappedBuffer(new byte[100]), 0);
        held.take(0).release();
        held.add(Unpooled.wrappedBuffer(new byte[200]), 900 * MS);

        held.take(900 * MS).release();

        assertThat(held.waitNanos(900 * MS)).isEqualTo(10 * MS);
    }

    @Test
    void aBlackHoleKeepsEverythingUntilItIsLifted() {
        conditions = stream(new Blackhole(Direction.TO_SERVER));
        add("a", 0);
        assertThat(held.waitNanos(1_000_000 * MS)).isEqualTo(HeldBytes.NEVER);
        assertThat(held.take(1_000_000 * MS)).isNull();

        conditions = stream();
        assertThat(text(held.take(1_000_000 * MS))).isEqualTo("a");
    }

    @Test
    void whatADelayHoldsGoesWhenItIsLifted() {
        conditions = stream(delay(60_000, 0));
        add("a", 0);
        conditions = stream();

        assertThat(held.waitNanos(5 * MS)).isZero();
        assertThat(text(held.take(5 * MS))).isEqualTo("a");
    }

    @Test
    void jitterFollowsFromSeedConnectionAndDirection() {
        List<Long> first = jitters(7, 1, Direction.TO_SERVER);

        assertThat(jitters(7, 1, Direction.TO_SERVER)).isEqualTo(first);
        assertThat(List.of(
                        jitters(8, 1, Direction.TO_SERVER),
                        jitters(7, 2, Direction.TO_SERVER),
                        jitters(7, 1, Direction.TO_CLIENT)))
                .doesNotContain(first)
                .doesNotHaveDuplicates();
        assertThat(first).hasSize(20).doesNotHaveDuplicates();
    }

    /** How long each of 20 pieces waits, a second after the one before. */
    private List<Long> jitters(long seed, long connection, Direction stream) {
        conditions = stream(delay(0, 900));
        HeldBytes jittered = new HeldBytes(() -> conditions, FaultProxy.jitter(seed, connection, stream), List.of());
        List<Long> waits = new ArrayList<>();
        for (long now = 0; now < 20_000 * MS; now += 1000 * MS) {
            jittered.add(Unpooled.wrappedBuffer(new byte[1]), now);
            waits.add(jittered.waitNanos(now));
            jittered.take(now + waits.get(waits.size() - 1)).release();
        }
        return waits;
    }

    @Test
    void aDisturbanceOfTheOtherStreamIsNotFelt() {
        List<Disturbance> all = List.of(new Blackhole(Direction.TO_CLIENT), delay(5, 0));

        assertThat(Conditions.of(all, Direction.TO_SERVER).blackhole()).isFalse();
        assertThat(Conditions.of(all, Direction.TO_CLIENT).blackhole()).isTrue();
        assertThat(Conditions.of(all, Direction.TO_SERVER).latencyNanos()).isEqualTo(5 * MS);
        assertThat(Conditions.FREE.free()).isTrue();
    }

    private static Delay delay(int latency, int jitter) {
        return new Delay(Duration.ofMillis(latency), Duration.ofMillis(jitter), Direction.BOTH);
    }

    private static Conditions stream(Disturbance... inForce) {
        return Conditions.of(List.of(inForce), Direction.TO_SERVER);
    }

    private void add(String text, long now) {
        held.add(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), now);
    }

    private static String text(ByteBuf bytes) {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.release();
        return text;
    }
}
