package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /** Each that there is, so that a new one cannot be forgotten here. */
    @Test
    void everyStatusOfAWriteHasItsOutcome() throws IllegalAccessException {
        Map<String, Outcome> outcomes = new TreeMap<>();
        for (Class<?> type : List.of(Status.class, Statuses.class)) {
            for (Field field : type.getFields()) {
                if (field.getType() == Status.class) {
                    outcomes.put(field.getName(), Outcome.of((Status) field.get(null), true));
                }
            }
        }

        assertThat(outcomes)
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("OK", Outcome.OK),
                        Map.entry("BATCHED_OK", Outcome.OK),
                        Map.entry("NOT_FOUND", Outcome.FAILED),
                        Map.entry("NOT_IMPLEMENTED", Outcome.FAILED),
                        Map.entry("BAD_REQUEST", Outcome.FAILED),
                        Map.entry("FORBIDDEN", Outcome.FAILED),
                        Map.entry("DUPLICATE_KEY", Outcome.FAILED),
                        Map.entry("FAILED", Outcome.FAILED),
                        Map.entry("TEMPORARY", Outcome.FAILED),
                        Map.entry("DEADLOCK", Outcome.FAILED),
                        Map.entry("LOCK_TIMEOUT", Outcome.FAILED),
                        Map.entry("CONFLICT", Outcome.FAILED),
                        Map.entry("UNAVAILABLE", Outcome.FAILED),
                        Map.entry("UNKNOWN", Outcome.UNKNOWN),
                        Map.entry("TIMEOUT", Outcome.UNKNOWN),
                        Map.entry("NOT_HELD", Outcome.UNKNOWN),
                        Map.entry("ERROR", Outcome.UNKNOWN),
                        Map.entry("UNEXPECTED_STATE", Outcome.UNKNOWN),
                        Map.entry("SERVICE_UNAVAILABLE", Outcome.UNKNOWN)));
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
