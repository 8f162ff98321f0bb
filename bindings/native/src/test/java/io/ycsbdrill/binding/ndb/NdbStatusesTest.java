package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NdbStatusesTest {

    /** Codes with the status and class that NDB gives them. */
    @ParameterizedTest
    @CsvSource({
        "626, 2, 2, NOT_FOUND, NOT_FOUND",
        "630, 2, 3, DUPLICATE_KEY, DUPLICATE_KEY",
        "4010, 1, 8, TEMPORARY, UNKNOWN",
        "4031, 1, 8, TEMPORARY, TEMPORARY",
        "286, 1, 8, TEMPORARY, TEMPORARY",
        "4025, 1, 8, TEMPORARY, TEMPORARY",
        "270, 1, 15, TEMPORARY, TEMPORARY",
        "266, 1, 10, TEMPORARY, TEMPORARY",
        "410, 1, 9, TEMPORARY, TEMPORARY",
        "1218, 1, 7, TEMPORARY, TEMPORARY",
        "4115, 1, 8, TEMPORARY, UNKNOWN",
        "4009, 3, 11, UNAVAILABLE, UNKNOWN",
        "4012, 3, 11, TIMEOUT, UNKNOWN",
        "4008, 3, 11, TIMEOUT, UNKNOWN",
        "99999, 3, 14, TIMEOUT, UNKNOWN",
        "241, 2, 4, TEMPORARY, TEMPORARY",
        "723, 2, 4, FAILED, FAILED",
        "827, 2, 6, FAILED, FAILED",
        "839, 2, 3, FAILED, FAILED",
        "-1, 2, 1, BAD_REQUEST, BAD_REQUEST"
    })
    void errorsAfterSending(int code, int status, int classification, String read, String write) {
        NdbFailure failure = new NdbFailure(code, status, classification, "text", true);

        assertThat(NdbStatuses.of(failure, false).getName()).isEqualTo(read);
        assertThat(NdbStatuses.of(failure, true).getName()).isEqualTo(write);
    }

    @ParameterizedTest
    @CsvSource({"4009, 3, 11", "4012, 3, 11", "4006, 1, 9", "0, 3, 12", "4000, 2, 1"})
    void whatWasNotSentWasDefinitelyNotDone(int code, int status, int classification) {
        NdbFailure failure = new NdbFailure(code, status, classification, "text", false);

        assertThat(Outcome.of(NdbStatuses.of(failure, true), true)).isEqualTo(Outcome.FAILED);
    }

    /** As long as its commit was not asked for, a transaction whose node fails cannot have been committed. */
    @Test
    void whatBecameOfATransactionIsUncertainOnlyWhenItsCommitWasAskedFor() {
        NdbFailure failure = new NdbFailure(4010, NdbFailure.TEMPORARY, 8, "text", true);

        assertThat(NdbStatuses.aborted(failure, false)).isEqualTo(Statuses.TEMPORARY);
        assertThat(NdbStatuses.aborted(failure, true)).isEqualTo(Statuses.UNKNOWN);
    }

    @Test
    void aReadWithoutARowMayBeDoneAgain() {
        assertThat(NdbStatuses.of(NdbFailure.noRow(), false)).isEqualTo(Statuses.TEMPORARY);
        assertThat(NdbStatuses.expected(NdbFailure.noRow())).isFalse();
        assertThat(NdbFailure.noRow()).hasToString("NDB reported that a read succeeded, and handed over no row");
    }

    @Test
    void noErrorIsOk() {
        for (int code = -1; code < 5_000; code++) {
            for (int status = 0; status <= 4; status++) {
                NdbFailure failure = new NdbFailure(code, status, 0, "text", true);
                assertThat(NdbStatuses.of(failure, true).isOk()).isFalse();
                assertThat(NdbStatuses.of(failure, false).isOk()).isFalse();
            }
        }
    }
}
