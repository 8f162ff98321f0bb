package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.embedded.Routes.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

class EmbeddedBindingTest {
    private static final Version BEFORE = new Version(1, 5);

    /** Also of one that was the primary as far as was known: it may have passed the request on to one that has died. */
    @Test
    void noOfANodeIsUnknownUnlessItsClusterIsStillTheOneOfTheRoutes() {
        for (Status no : new Status[] {Statuses.DUPLICATE_KEY, Status.NOT_FOUND}) {
            assertThat(EmbeddedBinding.denied(no, BEFORE, Optional.of(new Version(1, 5))))
                    .isSameAs(no);
            assertThat(EmbeddedBinding.denied(no, BEFORE, Optional.of(new Version(1, 6))))
                    .isSameAs(Statuses.UNKNOWN);
            assertThat(EmbeddedBinding.denied(no, BEFORE, Optional.of(new Version(2, 5))))
                    .isSameAs(Statuses.UNKNOWN);
            assertThat(EmbeddedBinding.denied(no, BEFORE, Optional.empty())).isSameAs(Statuses.UNKNOWN);
        }
    }

    /** It is what an audit looks for, and no reason to lack those that came with it. */
    @Test
    void aDamagedCopyIsAFailureOfItsRowAlone() {
        Map<String, ByteIterator> row = new HashMap<>();
        byte[] whole = FieldCodec.encode(Map.of("f", new ByteArrayByteIterator(new byte[] {7})));
        assertThat(NodeTasks.copy(whole, null, row)).isEqualTo(Status.OK);
        assertThat(row.get("f").toArray()).containsExactly(7);

        whole[whole.length - 2] = 9; // of the value's length
        assertThat(NodeTasks.copy(whole, null, row)).isEqualTo(Statuses.FAILED);
        assertThat(NodeTasks.copy(LocalCopyTask.NONE, null, row)).isEqualTo(Status.NOT_FOUND);
        assertThat(NodeTasks.copy(null, null, row)).isEqualTo(Statuses.NOT_HELD);
    }

    @Test
    void noIsUnknownWhenThereWereNoRoutes() {
        assertThat(EmbeddedBinding.denied(Status.NOT_FOUND, Version.UNKNOWN, Optional.of(BEFORE)))
                .isSameAs(Statuses.UNKNOWN);
    }
}
