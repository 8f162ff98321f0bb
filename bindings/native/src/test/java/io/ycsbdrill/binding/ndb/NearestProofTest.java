package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.ndb.NearestProof.Counters;
import io.ycsbdrill.binding.ndb.NearestProof.Reads;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NearestProofTest {
    private static final String LINK = "link\t1\t1";
    private static final Counters BEFORE = counters(1_000, 400, 2_000, 700, LINK);

    @Test
    void readsThatOneNodeHasAnsweredFromItsOwnCopyAreProof() {
        assertThat(NearestProof.problem(2, 500, BEFORE, counters(1_010, 400, 2_500, 1_200, LINK)))
                .isEmpty();
    }

    @Test
    void readsThatAnotherNodeCoordinatesAreNone() {
        assertThat(NearestProof.problem(2, 500, BEFORE, counters(1_500, 900, 2_000, 700, LINK)))
                .contains("of 500 reads that data node 2 should have answered, it answered 0", "LocationDomainId");
    }

    @Test
    void readsThatItHandsToThePrimaryReplicaAreNone() {
        assertThat(NearestProof.problem(2, 500, BEFORE, counters(1_000, 400, 2_500, 1_199, LINK)))
                .contains("it answered 499");
    }

    @Test
    void nothingIsProvedByCountersThatStartedAnew() {
        assertThat(NearestProof.problem(2, 500, BEFORE, counters(1_000, 400, 500, 500, LINK)))
                .contains("should have answered");
    }

    @Test
    void nothingIsProvedWhenTheNodeWasNotConnectedMeanwhile() {
        assertThat(NearestProof.problem(2, 500, BEFORE, counters(1_000, 400, 2_500, 1_200, "link\t2\t1")))
                .contains("data node 2 was not connected all the time");
    }

    @Test
    void nothingIsProvedWhileOthersRead() {
        assertThat(NearestProof.foreign(500, BEFORE, counters(1_050, 400, 2_500, 1_200, LINK)))
                .isEmpty();
        assertThat(NearestProof.foreign(500, BEFORE, counters(1_051, 900, 2_500, 1_200, LINK)))
                .contains("the cluster counted 551 reads where 500 were sent");
        assertThat(NearestProof.foreign(500, BEFORE, counters(1_000, 400, 2_499, 1_200, LINK)))
                .contains("499 reads");
    }

    private static Counters counters(long all1, long local1, long all2, long local2, String link) {
        return new Counters(Map.of(1, new Reads(all1, local1), 2, new Reads(all2, local2), 3, new Reads(0, 0)), link);
    }
}
