package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.Status;

class OutcomeTest {

    @Test
    void onlyYcsbsOwnOkIsOk() {
        assertThat(Outcome.of(Status.OK, true)).isEqualTo(Outcome.OK);
        assertThat(Outcome.of(Status.BATCHED_OK, true)).isEqualTo(Outcome.OK);
        assertThat(Outcome.of(new Status("OK", "a look-alike"), false)).isNotEqualTo(Outcome.OK);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void definiteStatusesAreFailures(boolean write) {
        assertThat(Outcome.of(Status.NOT_FOUND, write)).isEqualTo(Outcome.FAILED);
        assertThat(Outcome.of(Statuses.DUPLICATE_KEY, write)).isEqualTo(Outcome.FAILED);
        assertThat(Outcome.of(Statuses.UNAVAILABLE, write)).isEqualTo(Outcome.FAILED);
    }

    @Test
    void whatDoesNotTellIsUnknownForAWriteAndFailedForARead() {
        assertThat(Outcome.of(Status.ERROR, true)).isEqualTo(Outcome.UNKNOWN);
        assertThat(Outcome.of(null, true)).isEqualTo(Outcome.UNKNOWN);
        assertThat(Outcome.of(Statuses.TIMEOUT, true)).isEqualTo(Outcome.UNKNOWN);
        assertThat(Outcome.of(Status.ERROR, false)).isEqualTo(Outcome.FAILED);
        assertThat(Outcome.of(null, false)).isEqualTo(Outcome.FAILED);
    }
}
