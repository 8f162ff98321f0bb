package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.session.WorkloadKeys.Key;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.Utils;
import site.ycsb.Workload;

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
    void keysMayBeUuids() {
        properties.setProperty("insertorder", "uuid");

        assertThat(WorkloadKeys.of(properties, 7, 2))
                .containsExactly(
                        new Key("usertable", "3e0469fb-1349-31f8-b75a-2760e409c6ed"),
                        new Key("usertable", "7668f673-d566-3995-975e-f91b5d171945"));
    }

    /** Writes to a table of its own. */
    public static final class Elsewhere extends Workload {
        @Override
        public boolean doInsert(DB db, Object state) {
            return db.insert("elsewhere", "k", Map.of()).isOk();
        }

        @Override
        public boolean doTransaction(DB db, Object state) {
            return false;
        }
    }

    @Test
    void aWorkloadWithATableOfItsOwnIsToldFromThoseThatUseTheProperty() {
        assertThat(WorkloadKeys.otherTable(properties)).isEmpty();
        properties.setProperty("workload", Elsewhere.class.getName());
        assertThat(WorkloadKeys.otherTable(properties)).contains("elsewhere");
        properties.setProperty("table", "elsewhere");
        assertThat(WorkloadKeys.otherTable(properties)).isEmpty();
        properties.setProperty("workload", "no.such.Workload");
        assertThat(WorkloadKeys.otherTable(properties)).isEmpty();
    }

    @Test
    void theUsersPropertiesStayAsTheyAre() {
        Properties before = new Properties();
        before.putAll(properties);

        WorkloadKeys.of(properties, 5, 1);

        assertThat(properties).isEqualTo(before);
    }
}
