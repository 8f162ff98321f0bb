package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** What the tests on real clusters demand of {@code audit.json}. */
final class Audits {
    private Audits() {}

    /** Every write was judged, every acknowledged one is there, and nothing else is. */
    static void assertNothingLost(JsonNode audit) {
        assertThat(audit.at("/ackedLost").asLong(-1))
                .as("acknowledged writes lost: %s", audit)
                .isZero();
        assertThat(audit.at("/phantoms").asLong(-1)).as("phantoms: %s", audit).isZero();
        assertThat(audit.at("/keys/unreadable").asLong(-1))
                .as("unreadable: %s", audit)
                .isZero();
        assertThat(audit.at("/unknown/unresolved").asLong(-1))
                .as("unresolved: %s", audit)
                .isZero();
        assertThat(audit.at("/writes/notAudited").asLong(-1)).isZero();
        assertThat(audit.at("/keys/judged").asLong())
                .isEqualTo(audit.at("/keys/touched").asLong());
        assertThat(audit.at("/writes/ok").asLong()).isPositive();
    }
}
