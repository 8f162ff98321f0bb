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
        assertThat(audit.at("/keys/judged").asLong())
                .isEqualTo(audit.at("/keys/touched").asLong());
        assertThat(audit.at("/writes/ok").asLong()).isPositive();
    }

    /** Every copy of every written key was read, and all are equal. */
    static void assertReplicasAgree(JsonNode audit, int nodes, int copies) {
        JsonNode replicas = audit.path("replicas");
        assertThat(replicas.path("agree").asText()).as("%s", replicas).isEqualTo("yes");
        assertThat(replicas.path("differences")).as("%s", replicas).isEmpty();
        assertThat(replicas.path("copies").asInt()).isEqualTo(copies);
        assertThat(replicas.path("nodes")).hasSize(nodes);
        long held = 0;
        for (JsonNode node : replicas.path("nodes")) {
            assertThat(node.path("findings").asLong(-1)).as("%s", node).isZero();
            assertThat(node.path("unreadable").asLong(-1)).as("%s", node).isZero();
            if (copies == nodes) {
                assertThat(node.path("hash").asText())
                        .hasSize(64)
                        .isEqualTo(replicas.at("/nodes/0/hash").asText());
            }
            held += node.path("held").asLong();
        }
        assertThat(replicas.path("keys").asLong())
                .isEqualTo(audit.at("/keys/touched").asLong());
        assertThat(held)
                .as("%s", replicas)
                .isPositive()
                .isLessThanOrEqualTo(copies * replicas.path("keys").asLong());
    }
}
