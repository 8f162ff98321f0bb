package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.client.run.measure.KeyOwner;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private static final KeyOwners.Owners START = KeyOwners.Owners.of(List.of("n2", "n1", "n2", ""));

    private final Ownership ownership = Ownership.of("t", START);

    /** Its keys are the numbers of their partitions. */
    private record Numbered() implements KeyOwners {
        @Override
        public Owners owners(String table) {
            return START;
        }

        @Override
        public int partition(String table, String key) {
            return Integer.parseInt(key);
        }
    }

    @Test
    void ownersAreNumberedByNameAndAKeyHasTheOneOfItsPartition() {
        KeyOwner lookup = ownership.lookup(new Numbered());

        assertThat(ownership.nodes()).containsExactly("n1", "n2");
        assertThat(lookup.of("t", "0")).isEqualTo(1);
        assertThat(lookup.of("t", "1")).isZero();
        assertThat(lookup.of("t", "3")).isEqualTo(KeyOwner.NONE);
        assertThat(lookup.of("t", "4")).isEqualTo(KeyOwner.NONE);
        assertThat(lookup.of("t", "-1")).isEqualTo(KeyOwner.NONE);
        assertThat(lookup.of("other", "0")).isEqualTo(KeyOwner.NONE);
    }

    @Test
    void onlyChangesAreKept() {
        seen(1, "n2", "n1", "n2", "");
        seen(2, "n1", "n1", "n1", "");
        seen(3, "n1", "n1", "n3", "");
        seen(4, "n2", "n1", "n2", "");
        ownership.seen(KeyOwners.Owners.unknown("busy"), 5_000_000_000L);
        seen(6, "n2", "n1", "n2", "", "n1");

        assertThat(ownership.json().toString())
                .isEqualTo("{\"table\":\"t\",\"partitions\":[\"n2\",\"n1\",\"n2\",\"\"],\"changes\":["
                        + "{\"atSeconds\":2.0,\"partitionsMoved\":2},{\"atSeconds\":4.0,\"partitionsMoved\":0},"
                        + "{\"atSeconds\":6.0,\"partitionsMoved\":4}]}");
    }

    private void seen(int second, String... owners) {
        ownership.seen(KeyOwners.Owners.of(List.of(owners)), second * 1_000_000_000L);
    }

    @Test
    void whatIsNotKnownHasAReason() {
        assertThat(Ownership.of("t", KeyOwners.Owners.unknown("no SQL node"))
                        .json()
                        .toString())
                .isEqualTo("{\"table\":\"t\",\"reason\":\"no SQL node\"}");
        assertThat(Ownership.of("t", KeyOwners.Owners.of(List.of("", ""))).isKnown())
                .isFalse();
    }

    @Test
    void drillsAndClientsOfOneRunWantIt() {
        Path out = Path.of("out");
        RunSpec run = Specs.aRun(1).in(out);

        assertThat(Ownership.wantedBy(run)).isFalse();
        assertThat(Ownership.wantedBy(Specs.aRun(1).part(2, 3).in(out))).isTrue();
        assertThat(Ownership.wantedBy(Specs.aLoad(10).part(2, 3).in(out))).isFalse();
        assertThat(Ownership.wantedBy(run.toBuilder()
                        .extra("drill", JsonNodeFactory.instance.objectNode())
                        .build()))
                .isTrue();
    }
}
