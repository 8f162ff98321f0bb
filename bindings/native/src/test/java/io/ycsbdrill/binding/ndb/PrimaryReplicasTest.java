package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrimaryReplicasTest {

    @Test
    void eachPartitionHasTheNodeOfItsPrimaryReplica() throws IOException {
        assertThat(PrimaryReplicas.parse("t", "0\t2\n1\t3\n2\t2\n").byPartition())
                .containsExactly("2", "3", "2");
    }

    @Test
    void aPartitionWithoutAnAgreedPrimaryReplicaHasNone() throws IOException {
        assertThat(PrimaryReplicas.parse("t", "0\t1\n0\t2\n1\t0\n2\t3\n").byPartition())
                .containsExactly("", "", "3");
    }

    @Test
    void aTableThatAnyReplicaAnswersOrThatIsNotThereHasAReason() throws IOException {
        assertThat(PrimaryReplicas.parse("t", "any\n0\t2").reason()).startsWith("any replica answers reads of table t");
        assertThat(PrimaryReplicas.parse("t", "").reason()).isEqualTo("table t does not exist");
    }

    @Test
    void whatIsNotUnderstoodIsNotGuessed() {
        assertThatThrownBy(() -> PrimaryReplicas.parse("t", "0\t1\n2\t1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("partition 1 of t");
        assertThatThrownBy(() -> PrimaryReplicas.parse("t", "Warning (Code 1): x"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Warning");
    }
}
