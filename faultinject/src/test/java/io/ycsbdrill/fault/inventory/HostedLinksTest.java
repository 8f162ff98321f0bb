package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.inventory.HostedLinks.Begun;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostedLinksTest {
    private static Begun cut(long seconds, String... others) {
        return new Begun(LinkCut.both(Set.of(others), false), TimeUnit.SECONDS.toNanos(seconds));
    }

    /** A step that cut off the sender before would prove a later one that cuts nothing. */
    @Test
    void whatASenderHasDroppedCountsWhenTheSameInjectionCutsItOff() {
        Begun receiver = cut(100, "node1", "node3");

        assertThat(cut(100, "node2", "node3").isTogetherWith(receiver, "node2")).isTrue();
        assertThat(cut(90, "node2", "node3").isTogetherWith(receiver, "node2")).isFalse();
        assertThat(cut(110, "node2", "node3").isTogetherWith(receiver, "node2")).isFalse();
        assertThat(cut(100, "node3").isTogetherWith(receiver, "node2")).isFalse();
        assertThat(new Begun(new LinkTrouble.Loss(0.1), receiver.atNanos()).isTogetherWith(receiver, "node2"))
                .isFalse();
    }
}
