package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.session.WorkloadKeys.Key;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.Utils;

class WorkloadKeysTest {
    private final Properties properties = new Properties();

    WorkloadKeysTest() {
        properties.setProperty("workload", "site.ycsb.workloads.CoreWorkload");
        properties.setProperty("recordcount", "1000");
        properties.setProperty("requestdistribution", "latest");
    }

    @Test
    void keysAreThoseThatTheLoadInserts() {
        assertThat(WorkloadKeys.of(properties, 41, 2))
                .containsExactly(
                        new Key("usertable", "user" + Utils.hash(41)), new Key("usertable", "user" + Utils.hash(42)));
    }

    @Test
    void orderedAndPaddedKeysAndTheTableAreFollowed() {
        properties.setProperty("insertorder", "ordered");
        properties.setProperty("zeropadding", "8");
        properties.setProperty("table", "t1");

        assertThat(WorkloadKeys.of(properties, 999, 1)).containsExactly(new Key("t1", "user00000999"));
    }

    @Test
    void theUsersPropertiesStayAsTheyAre() {
        Properties before = new Properties();
        before.putAll(properties);

        WorkloadKeys.of(properties, 5, 1);

        assertThat(properties).isEqualTo(before);
    }
}
