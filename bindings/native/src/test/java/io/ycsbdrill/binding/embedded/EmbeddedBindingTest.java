package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.embedded.Routes.Version;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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

    @Test
    void noIsUnknownWhenThereWereNoRoutes() {
        assertThat(EmbeddedBinding.denied(Status.NOT_FOUND, Version.UNKNOWN, Optional.of(BEFORE)))
                .isSameAs(Statuses.UNKNOWN);
    }
}
